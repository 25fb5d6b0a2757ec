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
export async function ask(context, message, initial, check) {
  const answer = await answerTo(context, {
    type: 'text',
    name: 'answer',
    message,
    initial,
    format: (/** @type {string} */ text) => text.trim(),
    validate: (/** @type {string} */ text) => check?.(text.trim() || initial) ?? true,
  });
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

/**
 * @template {string} Choice
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @param {Readonly<Record<Choice, string>>} choices - each with what is said of it; Enter takes the first
 * @returns {Promise<Choice>}
 */
export function choose(context, message, choices) {
  const all = Object.entries(choices).map(([value, text]) => ({
    value,
    title: `${value}: ${text}`,
  }));
  return answerTo(context, { type: 'select', name: 'answer', message, choices: all, initial: 0 });
}

/**
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context
 * @param {import('prompts').PromptObject<'answer'>} question
 * @returns {Promise<any>}
 */
async function answerTo({ undo }, question) {
  // The question hides the cursor; a signal would leave it hidden.
  undo.push(() => print(1, '\u001B[?25h'));
  const { answer } = await prompts(question);
  if (answer === undefined) throw new Failure('Cancelled. Nothing was written.', EXIT.interrupted);
  return answer;
}
