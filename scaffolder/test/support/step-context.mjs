/** A context for one step, which records the step's output for the test. */
import { packageManagerOf } from '../../packages/package-managers.mjs';

/** @typedef {import('../../context.mjs').Context} Context */

/**
 * @param {Partial<Context>} [fields]
 * @returns {Context & { said: string[] }}
 */
export function stepContext(fields = {}) {
  /** @type {string[]} */
  const said = [];
  const context = {
    argv: [],
    cwd: process.cwd(),
    env: process.env,
    interactive: false,
    create: packageManagerOf({}).create,
    packageManager: packageManagerOf({}),
    say: (text = '') => said.push(text),
    note: (text = '') => said.push(text),
    bold: (/** @type {string} */ text) => text,
    undo: [],
    exitCode: 0,
    install: true,
    git: true,
    merge: false,
    verify: false,
    dryRun: false,
    list: false,
    keptFiles: [],
    manifest: {},
    json: false,
    yes: false,
    result: {},
    said,
    ...fields,
  };
  return /** @type {Context & { said: string[] }} */ (/** @type {unknown} */ (context));
}
