/**
 * The whole program: the steps below, in order, over one context. What a plain scaffold can do
 * without is loaded when its turn comes, so that it starts at once.
 */
import { takeBack } from './clean-up.mjs';
import { createContext } from './context.mjs';
import { report } from './failure.mjs';
import { interruption } from './interruption.mjs';
import { print } from './output.mjs';
import checkTarget from './steps/check-target.mjs';
import chooseNames from './steps/choose-names.mjs';
import copyTemplate from './steps/copy-template.mjs';
import moveIntoPlace from './steps/move-into-place.mjs';
import openStaging from './steps/open-staging.mjs';
import parseArguments from './steps/parse-arguments.mjs';
import personalise from './steps/personalise.mjs';
import pinNode from './steps/pin-node.mjs';
import printNext from './steps/print-next.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {(context: Context) => any} Step */

/** @type {(load: () => Promise<{ default: Step }>) => Step} */
const late = (load) => async (context) => (await load()).default(context);
/** @type {Step} */
const always = () => true;
/** @type {Step} */
const isMade = ({ list }) => !list;

/** @type {[isNeeded: Step, step: Step][]} */
const steps = [
  [({ startedByNpm }) => startedByNpm, late(() => import('./steps/recover-flags.mjs'))],
  [always, parseArguments],
  [({ update }) => update, late(() => import('./steps/update.mjs'))],
  [({ update }) => update, late(() => import('./steps/verify.mjs'))],
  [
    ({ list, directory }) => !list && directory === undefined,
    late(() => import('./steps/ask-directory.mjs')),
  ],
  [isMade, checkTarget],
  [isMade, chooseNames],
  [always, openStaging],
  [({ remote }) => !remote, copyTemplate],
  [({ remote }) => remote, late(() => import('./steps/fetch-template.mjs'))],
  // Our own template has no links.
  [({ from, merge }) => from !== undefined || merge, late(() => import('./steps/check-links.mjs'))],
  [isMade, personalise],
  [isMade, pinNode],
  [({ list, dryRun }) => list || dryRun, late(() => import('./steps/show-files.mjs'))],
  [always, moveIntoPlace],
  [({ install }) => install, late(() => import('./steps/install.mjs'))],
  [({ git }) => git, late(() => import('./steps/init-git.mjs'))],
  [({ verify, installed }) => verify && installed, late(() => import('./steps/verify.mjs'))],
  [always, printNext],
];

export async function scaffold() {
  const context = createContext();
  const interrupted = interruption();
  try {
    for (const [isNeeded, step] of steps) {
      if (!isNeeded(context)) continue;
      Object.assign(context, await Promise.race([interrupted, step(context)]));
      // A signal that came during the step is heard in the event loop's next turn.
      await Promise.race([interrupted, new Promise((resolve) => setImmediate(resolve))]);
      if (context.finished) break;
    }
  } catch (error) {
    return report(error, context, await takeBack(context));
  }
  process.exitCode = context.exitCode;
  if (!context.json) return;
  print(1, `${JSON.stringify({ ok: context.exitCode === 0, ...context.result })}\n`);
}
