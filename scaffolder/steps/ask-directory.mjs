/** Step: asks for the directory if none was given. Without a terminal it fails. */
import { EXIT, Failure } from '../console/failure.mjs';
import { ask } from '../console/question.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { DEFAULT_NAME } from '../packages/names.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'yes' | 'argv' | 'interactive' | 'create' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function askDirectory(context) {
  if (context.yes) return { directory: DEFAULT_NAME };
  if (!context.interactive) {
    const command = context.create(DEFAULT_NAME, ...context.argv.map(quoted));
    throw new Failure(
      `No directory was given, and there is no terminal to ask for one. Run:\n\n  ${command}\n`,
      EXIT.usage,
    );
  }
  return { directory: await ask(context, 'Directory of the new project', DEFAULT_NAME) };
}
