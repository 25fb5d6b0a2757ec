#!/usr/bin/env node
/**
 * create-lumenize-rpc: the steps below, in order, over one context. A step is loaded when its turn
 * comes, and only if it has something to do, so that a plain scaffold starts at once.
 *
 * The Node check must run before anything that an old Node cannot read, so this file keeps to plain
 * syntax and imports the rest dynamically.
 */

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {(context: Context) => unknown} Test */

/** @type {Test} */
const always = () => true;
/** @type {Test} */
const isMade = ({ list }) => !list;

/** @type {[Test, () => Promise<{ default: (context: Context) => any }>][]} */
const steps = [
  [({ startedByNpm }) => startedByNpm, () => import('./steps/recover-flags.mjs')],
  [always, () => import('./steps/parse-arguments.mjs')],
  [
    ({ list, directory }) => !list && directory === undefined,
    () => import('./steps/ask-directory.mjs'),
  ],
  [isMade, () => import('./steps/check-target.mjs')],
  [isMade, () => import('./steps/choose-names.mjs')],
  [always, () => import('./steps/open-staging.mjs')],
  [({ remote }) => !remote, () => import('./steps/copy-template.mjs')],
  [({ remote }) => remote, () => import('./steps/fetch-template.mjs')],
  [isMade, () => import('./steps/personalise.mjs')],
  [isMade, () => import('./steps/pin-node.mjs')],
  [({ list, dryRun }) => list || dryRun, () => import('./steps/show-files.mjs')],
  [always, () => import('./steps/move-into-place.mjs')],
  [({ install }) => install, () => import('./steps/install.mjs')],
  [({ git }) => git, () => import('./steps/init-git.mjs')],
  [always, () => import('./steps/print-next.mjs')],
];

async function main() {
  const { createContext } = await import('./context.mjs');
  const { interruption } = await import('./interruption.mjs');
  const context = createContext();
  const interrupted = interruption();
  try {
    for (const [isNeeded, load] of steps) {
      if (!isNeeded(context)) continue;
      const { default: step } = await Promise.race([interrupted, load()]);
      Object.assign(context, await Promise.race([interrupted, step(context)]));
      // A signal that came during the step is heard in the event loop's next turn.
      await Promise.race([interrupted, new Promise((resolve) => setImmediate(resolve))]);
      if (context.finished) break;
    }
  } catch (error) {
    // Newest first: a running command is stopped before the folder it writes to is removed.
    for (const undo of context.undo.toReversed()) await undo();
    const { report } = await import('./failure.mjs');
    return report(error, context);
  }
  process.exitCode = context.exitCode;
  if (!context.json) return;
  const { print } = await import('./output.mjs');
  print(1, `${JSON.stringify({ ok: context.exitCode === 0, ...context.result })}\n`);
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
