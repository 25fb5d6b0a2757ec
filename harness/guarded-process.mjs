/** Starts child processes that never outlive this one. `guard.mjs` ends them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard.mjs', import.meta.url));

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {'inherit' | 'pipe'} [output] - default `'inherit'`
 * @property {string} [folder] - deleted when the command is stopped or this process ends
 */

/**
 * The end of a command, and its output unless the output was inherited.
 *
 * @typedef {{ code: number | null, out: string, err: string, all: string }} Outcome
 */

/** @type {Set<ChildProcess>} */
const running = new Set();

/**
 * Starts a command in a process group of its own.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Options} options
 * @returns {ChildProcess} the guard; its first message contains the command's `pid`
 */
export function start(command, args, { cwd, env, output = 'inherit', folder = '' } = {}) {
  const child = spawn(process.execPath, [GUARD, folder, command, ...args], {
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
 * Waits for a command to end.
 *
 * @param {ChildProcess} child
 * @returns {Promise<Outcome>}
 */
export async function outcomeOf(child) {
  /** @type {Outcome} */
  const outcome = { code: null, out: '', err: '', all: '' };
  for (const name of /** @type {const} */ (['out', 'err'])) {
    child[`std${name}`]?.on('data', (chunk) => {
      outcome[name] += chunk;
      outcome.all += chunk;
    });
  }
  [outcome.code] = await once(child, 'close');
  return outcome;
}

/**
 * Runs a command to its end.
 *
 * @param {Parameters<typeof start>} parameters
 * @returns {Promise<Outcome>} rejects with the output if the command fails
 */
export async function run(...parameters) {
  const [command, args] = parameters;
  const outcome = await outcomeOf(start(...parameters));
  if (outcome.code === 0) return outcome;
  const line = [command, ...args].join(' ');
  throw new Error(`${line} ended with exit code ${outcome.code}\n${outcome.all}`.trimEnd());
}

/**
 * Ends a command and all its child processes.
 *
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
export async function stop(child) {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}

/**
 * Ends a command and all its child processes at once, as a crash does.
 *
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
export async function kill(child) {
  if (!running.has(child) || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Ends every command that is still running. */
export async function stopAll() {
  await Promise.all([...running].map(stop));
}
