/** Step: asks which page the project gets, where `--ui` does not say it and someone is there to answer. */
import { UIS } from '../options.mjs';
import { choose } from '../question.mjs';

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
