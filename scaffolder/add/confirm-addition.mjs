/** Step: shows the changes that `--add` would make, and asks whether to make them. */
import { relative } from 'node:path';
import { EXIT, Failure } from '../console/failure.mjs';
import { confirm } from '../console/question.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { VENDORED } from './project.mjs';
import { decoded } from './text/file-text.mjs';
import { lineChanges } from './text/line-changes.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'addition' | 'argv' | 'create' | 'cwd' | 'dryRun' | 'interactive' | 'say' | 'target' | 'undo' | 'yes'>} context
 * @returns {Promise<Partial<Context>>}
 */
export default async function confirmAddition(context) {
  const { addition, argv, create, dryRun, interactive, say, target, yes } = context;
  describe(context);
  if (dryRun) {
    say('Nothing was written.');
    return { finished: true, result: { dryRun: true, ...additionResult(target, addition) } };
  }
  if (yes) return {};
  if (!interactive) {
    const command = create(...argv.map(quoted), '--yes');
    throw new Failure(
      `There is no terminal to ask on. Nothing was changed. To apply the changes:\n\n  ${command}\n`,
      EXIT.usage,
    );
  }
  if (await confirm(context, 'Apply these changes?')) return {};
  // The exit code is 0, because npm would print an error for any other exit code, and the answer "no" is no failure.
  say('Nothing was changed.');
  return { finished: true };
}

/**
 * @param {string} directory
 * @param {Context['addition']} addition
 * @returns {Record<string, unknown>} the result that `--json` prints
 */
export function additionResult(directory, addition) {
  const { changed, created, examples, objects, schemas, notes, byHand } = addition;
  const files = [
    ...Array.from(changed.keys(), (path) => ({ what: 'changed', path })),
    ...Array.from(created.keys(), (path) => ({ what: 'added', path })),
  ];
  return { directory, examples, objects, schemas, files, notes, ...(byHand && { byHand }) };
}

/** @param {Pick<Context, 'addition' | 'cwd' | 'say' | 'target'>} context */
function describe({ addition, cwd, say, target }) {
  const { byHand, changed, created, main, notes, reason } = addition;
  const place = relative(cwd, target) || 'this directory';
  const paths = [...created.keys()];
  const isVendored = (/** @type {string} */ path) => path.startsWith(VENDORED);
  const vendored = paths.filter(isVendored).length;
  say(`To be added to ${place}:`);
  if (vendored > 0) say(`  new      ${VENDORED} (the package, ${vendored} files)`);
  for (const path of paths) if (!isVendored(path)) say(`  new      ${path}`);
  for (const [path, { before, after }] of changed) {
    say(`  changed  ${path}`);
    for (const line of lineChanges(decoded(before), decoded(after))) say(`    ${line}`.trimEnd());
  }
  if (byHand) {
    say(`  by hand  ${main}: ${reason}`);
    for (const line of byHand.split('\n')) say(`      ${line}`.trimEnd());
  }
  for (const note of notes) say(`Note: ${note}`);
}
