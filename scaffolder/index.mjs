#!/usr/bin/env node
/**
 * create-lumenize-rpc: checks Node's version, then runs `scaffold.mjs`. The check must run before code
 * that an old Node cannot parse. So this file uses only old syntax, and imports the other files dynamically. In a
 * clone of the repository, this import fails until the packages are installed.
 */
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'create-lumenize-rpc needs Node 20 or later, and this is Node ' + process.versions.node + '.',
  );
  console.error('Install a current Node from https://nodejs.org and run the command again.');
  process.exitCode = 1;
} else {
  import('./scaffold.mjs').catch(function (error) {
    var missing = /^Cannot find package '([^']+)'/.exec(error.message);
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !missing) throw error;
    var clone = process.argv[1].replace(/[\\/]scaffolder[\\/]index(\.mjs)?$/, '');
    var what = 'The package ' + missing[1] + ' is not installed';
    console.error(what + ': run npm install in ' + clone + ', then this command again.');
    process.exitCode = 1;
  });
}
