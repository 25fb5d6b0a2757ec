#!/usr/bin/env node
/**
 * create-lumenize-rpc: checks Node's version, then runs `scaffold.mjs`. The check must run before code
 * that an old Node cannot parse. So this file uses only old syntax, and imports the rest dynamically.
 */
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'create-lumenize-rpc needs Node 20 or later, and this is Node ' + process.versions.node + '.',
  );
  console.error('Install a current Node from https://nodejs.org and run the command again.');
  process.exitCode = 1;
} else {
  import('./scaffold.mjs');
}
