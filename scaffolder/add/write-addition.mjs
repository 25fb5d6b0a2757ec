/** Step: writes all changes of `--add`, or none on failure. An interruption before the next step undoes the changes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { textsOf } from './plan-addition.mjs';
import { VENDORED } from './project.mjs';
import { readText } from './text/file-text.mjs';
import { writeChanges } from './write-changes.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'addition' | 'target' | 'undo'>} context
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
  const texts = textsOf(addition);
  const staging = writeChanges(context, target, texts);
  const written = Array.from(texts.keys(), (path) => (path.startsWith(VENDORED) ? VENDORED : path));
  return { staging, written: [...new Set(written)] };
}
