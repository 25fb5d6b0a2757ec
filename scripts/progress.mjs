/** What `npm start` shows while it works: a line for each step. Imports harness/ only. */
import { run } from '../harness/guarded-process.mjs';

/** On packages for a newer Node, as long as the machine's runs npm. */
const OF_ENGINES = /\bEBADENGINE\b/;
const isTerminal = process.stdout.isTTY;

/**
 * Shows what is being done and for how long; a log gets the time when it is done.
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
 * A step that is a command which installs. What it warned of is shown then, but not that this
 * machine's Node is too old: what is installed brings its own. When it fails, that may be why.
 *
 * @param {string} title
 * @param {Parameters<typeof run>} command
 * @returns {Promise<void>} rejects, with all that was printed, when the command fails
 */
export async function installation(title, ...[command, args, options]) {
  const { err } = await step(title, () => run(command, args, { ...options, output: 'pipe' }));
  const lines = err.split('\n').filter((line) => line && !OF_ENGINES.test(line));
  if (lines.length > 0) console.error(lines.join('\n'));
}
