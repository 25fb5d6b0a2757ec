/** Program: runs the steps below, in order, over one context. */
import addExamples from './add/add-examples.mjs';
import confirmAddition from './add/confirm-addition.mjs';
import planAddition from './add/plan-addition.mjs';
import reportAddition from './add/report-addition.mjs';
import writeAddition from './add/write-addition.mjs';
import parseArguments from './arguments/parse-arguments.mjs';
import recoverFlags from './arguments/recover-flags.mjs';
import { takeBack } from './clean-up.mjs';
import { report } from './console/failure.mjs';
import { print } from './console/output.mjs';
import { createContext } from './context.mjs';
import { interruption } from './interruption.mjs';
import { TYPEBOX } from './schemas/choose-library.mjs';
import askDirectory from './steps/ask-directory.mjs';
import askUi from './steps/ask-ui.mjs';
import checkTarget from './steps/check-target.mjs';
import chooseNames from './steps/choose-names.mjs';
import fitPackageManager from './steps/fit-package-manager.mjs';
import initGit from './steps/init-git.mjs';
import install from './steps/install.mjs';
import moveIntoPlace from './steps/move-into-place.mjs';
import openStaging from './steps/open-staging.mjs';
import personalise from './steps/personalise.mjs';
import pinNode from './steps/pin-node.mjs';
import printNext from './steps/print-next.mjs';
import showFiles from './steps/show-files.mjs';
import verify from './steps/verify.mjs';
import writeSchemas from './steps/write-schemas.mjs';
import applyOverlay from './templates/apply-overlay.mjs';
import checkLinks from './templates/check-links.mjs';
import copyTemplate from './templates/copy-template.mjs';
import fetchTemplate from './templates/fetch-template.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {(context: Context) => any} Step */

/** @type {Step} */
const always = () => true;
/** @type {Step} */
const isMade = ({ list }) => !list;

/** @type {[isNeeded: Step, step: Step][]} */
const steps = [
  [({ startedByNpm }) => startedByNpm, recoverFlags],
  [always, parseArguments],
  [(context) => context.add, planAddition],
  [(context) => context.add, confirmAddition],
  [(context) => context.add, writeAddition],
  [(context) => context.add, reportAddition],
  [({ list, directory }) => !list && directory === undefined, askDirectory],
  [isMade, checkTarget],
  [isMade, chooseNames],
  [({ ui, from, list }) => !ui && from === undefined && !list, askUi],
  [always, openStaging],
  [({ remote }) => !remote, copyTemplate],
  [({ remote }) => remote, fetchTemplate],
  [({ ui }) => ui !== undefined && ui !== 'plain', applyOverlay],
  // The packaged template has no links.
  [({ from, merge }) => from !== undefined || merge, checkLinks],
  [({ schemas = TYPEBOX }) => schemas !== TYPEBOX, writeSchemas],
  [isMade, personalise],
  [isMade, pinNode],
  [always, fitPackageManager],
  [({ example }) => example, addExamples],
  [({ list, dryRun }) => list || dryRun, showFiles],
  [always, moveIntoPlace],
  [(context) => context.install, install],
  [({ git }) => git, initGit],
  [(context) => context.verify && context.installed && !context.failure, verify],
  [always, printNext],
];

void scaffold();

async function scaffold() {
  const context = createContext();
  const interrupted = interruption();
  try {
    for (const [isNeeded, step] of steps) {
      if (!isNeeded(context)) continue;
      Object.assign(context, await Promise.race([interrupted, step(context)]));
      // The handler of a signal that came during the step runs in the next turn of the event loop.
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
