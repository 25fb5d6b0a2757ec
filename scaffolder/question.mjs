/** Asks on the terminal. */
import prompts from 'prompts';
import { EXIT, Failure } from './failure.mjs';
import { print } from './output.mjs';

/**
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @param {string} initial - the answer that Enter gives
 * @param {(answer: string) => string | undefined} [check] - what is wrong with an answer
 * @returns {Promise<string>}
 */
export async function ask({ undo }, message, initial, check) {
  // The question hides the cursor; a signal would leave it hidden.
  undo.push(() => print(1, '\u001B[?25h'));
  const { answer } = await prompts({
    type: 'text',
    name: 'answer',
    message,
    initial,
    format: (/** @type {string} */ text) => text.trim(),
    validate: (/** @type {string} */ text) => check?.(text.trim() || initial) ?? true,
  });
  if (answer === undefined) throw new Failure('Cancelled. Nothing was written.', EXIT.interrupted);
  return answer || initial;
}

/**
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @returns {Promise<boolean>} what Enter alone means: yes
 */
export async function confirm({ undo }, message) {
  undo.push(() => print(1, '\u001B[?25h'));
  const { answer = false } = await prompts({
    type: 'confirm',
    name: 'answer',
    message,
    initial: true,
  });
  return answer;
}
