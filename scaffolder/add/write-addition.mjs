/** Step: writes all changes of `--add`, or none on failure, and prints what the user has to do. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { additionResult } from './confirm-addition.mjs';
import { textsOf } from './plan-addition.mjs';
import { readText } from './text/file-text.mjs';
import { writeChanges } from './write-changes.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function writeAddition(context) {
  const { addition, target } = context;
  const { changed, created } = addition;
  // The user may have changed files while the question was open.
  for (const [path, { before }] of changed) {
    if (readText(join(target, path)) === before) continue;
    throw conflict(`${path} was changed while the question was open.`, 'Run the command again.');
  }
  for (const path of created.keys()) {
    if (!existsSync(join(target, path))) continue;
    throw conflict(`${path} was created while the question was open.`, 'Run the command again.');
  }
  writeChanges(context, target, textsOf(addition));
  const next = printNext(context);
  return {
    finished: true,
    kept: `${whatIsAdded(addition)} added. To take it back: git stash --include-untracked`,
    result: { ...additionResult(target, addition), next },
  };
}

/**
 * @param {Context} context
 * @returns {string[]} the next commands
 */
function printNext({ addition, bold, cwd, packageManager, say, target }) {
  const { byHand, devScript, firstUse, hasPackage, main, typesScript } = addition;
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
    ...(hasPackage ? [] : [packageManager.install]),
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
function whatIsAdded({ objects }) {
  const classes = objects.map(({ class: name }) => name);
  return `${new Intl.ListFormat('en').format(classes)} ${classes.length > 1 ? 'were' : 'was'}`;
}
