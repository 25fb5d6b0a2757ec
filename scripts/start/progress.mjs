/** Prints the progress of `npm start`: a line for each step. */
import { run } from '../../harness/guarded-process.mjs';

/** Matches npm's warning about packages that need a newer Node than the machine's Node. */
const OF_ENGINES = /\bEBADENGINE\b/;
const isTerminal = process.stdout.isTTY;

/**
 * Prints a step and its time so far. Without a terminal, it prints the time only at the end.
 *
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(title, work) {
  const start = performance.now();
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`;
  const redraw = () => process.stdout.write(`\r\u001B[K${title} … ${seconds()}`);
  process.stdout.write(`${title} … `);
  const timer = isTerminal ? setInterval(redraw, 1000) : undefined;
  try {
    const result = await work();
    clearInterval(timer);
    if (isTerminal) redraw();
    else process.stdout.write(seconds());
    return result;
  } finally {
    clearInterval(timer);
    process.stdout.write('\n');
  }
}

/**
 * Runs an installation as a step, and prints its warnings. It omits the warning that this machine's Node
 * is too old, because the installed project has its own Node. If the command fails, the warning stays,
 * because the old Node may be the reason.
 *
 * @param {string} title
 * @param {Parameters<typeof run>} command
 * @returns {Promise<void>} rejects with the whole output if the command fails
 */
export async function installation(title, ...[command, args, options]) {
  const { err } = await step(title, () => run(command, args, { ...options, output: 'pipe' }));
  const lines = err.split('\n').filter((line) => line && !OF_ENGINES.test(line));
  if (lines.length > 0) console.error(lines.join('\n'));
}
