/** Step: adds the examples that `--example` names to the new project, before it is moved into place. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plan, textsOf } from './plan-addition.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function addExamples(context) {
  const { example = [], project } = context;
  const addition = plan(project, example, context);
  for (const [path, text] of textsOf(addition)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text, 'latin1');
  }
  return { addition, manifest: JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) };
}
