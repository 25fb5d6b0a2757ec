/** Step: makes the changes of `--add` final, and prints the next commands for the user. */
import { relative } from 'node:path';
import { tryToRemoveFolder } from '../clean-up.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { HTTP } from '../examples.mjs';
import { additionResult } from './confirm-addition.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function reportAddition(context) {
  const { addition, staging, target } = context;
  tryToRemoveFolder(staging, context);
  const next = printNext(context);
  return {
    finished: true,
    undo: [],
    written: [],
    kept: () => `${whatIsAdded(addition)} added.`,
    result: { ...additionResult(target, addition), next },
  };
}

/**
 * @param {Context} context
 * @returns {string[]} the next commands
 */
function printNext({ addition, bold, cwd, packageManager, say, target }) {
  const { byHand, devScript, firstUse, main, needsInstallation, typesScript } = addition;
  const directory = relative(cwd, target);
  say();
  say(`${whatIsAdded(addition)} added to ${directory || 'this directory'}.`);
  if (byHand) {
    say();
    say(`Add these lines to ${main} yourself:`);
    say();
    for (const line of byHand.split('\n')) say(`  ${line}`.trimEnd());
  }
  const next = [
    ...(directory ? [`cd ${quoted(directory)}`] : []),
    ...(needsInstallation ? [packageManager.install] : []),
    ...(typesScript ? [packageManager.run(typesScript)] : []),
    devScript ? packageManager.run(devScript) : `${packageManager.exec} wrangler dev`,
  ];
  say();
  say('Next:');
  say();
  for (const command of next) say(`  ${bold(command)}`);
  say();
  for (const line of firstUse) say(line);
  return next;
}

/** @param {Context['addition']} addition */
function whatIsAdded({ examples, objects }) {
  const http = examples.includes(HTTP) ? ['routeHttpRequest'] : [];
  const classes = [...objects.map(({ class: name }) => name), ...http];
  return `${new Intl.ListFormat('en').format(classes)} ${classes.length > 1 ? 'were' : 'was'}`;
}
