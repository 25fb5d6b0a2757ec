/** Child processes that never outlive this one: see `guard.mjs` for how. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard.mjs', import.meta.url));

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();

/**
 * Starts a command in a process group of its own.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'inherit' | 'pipe' }} options
 * @returns {ChildProcess}
 */
export function start(command, args, { cwd, env, output = 'inherit' } = {}) {
  const child = spawn(process.execPath, [GUARD, command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/**
 * Runs a command to its end.
 *
 * @param {Parameters<typeof start>} parameters
 * @returns {Promise<void>} rejects when the command fails
 */
export async function run(...parameters) {
  const [command, args] = parameters;
  const child = start(...parameters);
  const code = await exitCode(child);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${code}`);
}

/**
 * Ends a command and everything it started.
 *
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
export async function stop(child) {
  if (!running.has(child)) return;
  const ended = exitCode(child);
  if (child.connected) child.disconnect();
  await ended;
}

/** Ends every command that is still running. */
export async function stopAll() {
  await Promise.all([...running].map(stop));
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<number | null>}
 */
function exitCode(child) {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', resolve));
}
