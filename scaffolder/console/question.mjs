/** Asks questions on the terminal. */
import { EXIT, Failure } from './failure.mjs';
import { print } from './output.mjs';

/**
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @param {string} initial - the answer if the user only presses Enter
 * @param {(answer: string) => string | undefined} [check] - returns the problem with an answer
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
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @returns {Promise<boolean>} true if the user only presses Enter
 */
export function confirm(context, message) {
  return answerTo(context, { type: 'confirm', name: 'answer', message, initial: true });
}

/**
 * @template {string} Choice
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {string} message
 * @param {Readonly<Record<Choice, string>>} choices - descriptions by choice; Enter takes the first
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
 * @param {Pick<import('../context.mjs').Context, 'undo'>} context
 * @param {import('prompts').PromptObject<'answer'>} question
 * @returns {Promise<any>}
 */
async function answerTo({ undo }, question) {
  // The prompt hides the cursor. After a signal it would stay hidden.
  undo.push(() => print(1, '\u001B[?25h'));
  // The package is imported here, because most runs ask nothing.
  const { default: prompts } = await import('prompts');
  const { answer } = await prompts(question);
  if (answer === undefined) throw new Failure('Cancelled. Nothing was written.', EXIT.interrupted);
  return answer;
}
