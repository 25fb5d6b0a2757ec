/** Step: asks which page the project gets, if `--ui` is missing and there is a terminal. */
import { UIS } from '../arguments/options.mjs';
import { choose } from '../console/question.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'yes' | 'dryRun' | 'interactive' | 'undo'>} context
 * @returns {Promise<Partial<Context>>}
 */
export default async function askUi(context) {
  const { yes, dryRun, interactive } = context;
  if (yes || dryRun || !interactive) return { ui: 'plain' };
  return { ui: await choose(context, 'Page', UIS) };
}
