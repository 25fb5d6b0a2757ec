/** Step: asks for the directory when none was given and someone is there to answer. */
import { EXIT, Failure } from '../failure.mjs';
import { DEFAULT_NAME } from '../names.mjs';
import { quoted } from '../shell-quote.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'directory' | 'yes' | 'argv' | 'interactive' | 'create' | 'undo'>} context
 * @returns {Promise<import('../context.mjs').Changes>}
 */
export default async function askDirectory(context) {
  if (context.directory !== undefined) return;
  if (context.yes) return { directory: DEFAULT_NAME };
  if (!context.interactive) {
    const command = context.create(DEFAULT_NAME, ...context.argv.map(quoted));
    throw new Failure(
      `No directory is given, and there is no terminal to ask on. Run:\n\n  ${command}\n`,
      EXIT.usage,
    );
  }
  // Loaded only for the question, so that a plain run starts at once.
  const { default: prompts } = await import('prompts');
  // The question hides the cursor; a signal would leave it hidden.
  context.undo.push(() => process.stdout.write('\u001B[?25h'));
  const { directory } = await prompts({
    type: 'text',
    name: 'directory',
    message: 'Directory of the new project',
    initial: DEFAULT_NAME,
    format: (/** @type {string} */ text) => text.trim(),
  });
  if (directory === undefined) {
    throw new Failure('Cancelled. Nothing was written.', EXIT.interrupted);
  }
  return { directory: directory || DEFAULT_NAME };
}
