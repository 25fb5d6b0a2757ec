#!/usr/bin/env node
/**
 * create-lumenize-rpc: the steps below, in order, over one context.
 *
 * The Node check must run before anything that an old Node cannot read, so this file keeps to plain
 * syntax and imports the rest dynamically, each step when its turn comes.
 */
const steps = [
  () => import('./steps/recover-flags.mjs'),
  () => import('./steps/parse-arguments.mjs'),
  () => import('./steps/ask-directory.mjs'),
  () => import('./steps/check-target.mjs'),
  () => import('./steps/choose-names.mjs'),
  () => import('./steps/open-staging.mjs'),
  () => import('./steps/copy-template.mjs'),
  () => import('./steps/fetch-template.mjs'),
  () => import('./steps/personalise.mjs'),
  () => import('./steps/pin-node.mjs'),
  () => import('./steps/move-into-place.mjs'),
  () => import('./steps/install.mjs'),
  () => import('./steps/init-git.mjs'),
  () => import('./steps/print-next.mjs'),
];

async function main() {
  const { createContext } = await import('./context.mjs');
  const { interruption } = await import('./interruption.mjs');
  const { report } = await import('./failure.mjs');
  const context = createContext();
  const interrupted = interruption();
  try {
    for (const load of steps) {
      const { default: step } = await Promise.race([interrupted, load()]);
      Object.assign(context, await Promise.race([interrupted, step(context)]));
      if (context.finished) break;
    }
    process.exitCode = context.exitCode;
    if (context.json)
      process.stdout.write(`${JSON.stringify({ ok: !context.exitCode, ...context.result })}\n`);
  } catch (error) {
    // Newest first: a running command is stopped before the folder it writes to is removed.
    for (const undo of context.undo.toReversed()) await undo();
    report(error, context);
  }
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'create-lumenize-rpc needs Node 20 or later, and this is Node ' + process.versions.node + '.',
  );
  console.error('Install a current Node from https://nodejs.org and run the command again.');
  process.exitCode = 1;
} else {
  main();
}
