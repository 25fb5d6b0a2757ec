/** Runs a command that cannot outlive this program. */
import { spawn } from 'node:child_process';

/** The time in which an interrupted command has to end by itself, in milliseconds. */
const GRACE = 1000;
const onWindows = process.platform === 'win32';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * @param {Pick<import('./context.mjs').Context, 'undo'>} context - while the command runs, `undo`
 *   contains a function that stops it
 * @param {string} command
 * @param {string[]} args - only constants of this program if `shell` is set, because the shell expands
 *   them
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, show?: 1 | 2, shell?: boolean, guarded?: boolean }}
 *   options - `show` prints the output there, instead of collecting it; `shell` finds commands that are
 *   scripts on Windows; the input of a `guarded` command ends when this program ends, for any reason
 * @returns {Promise<{ code: number, output: string }>} code 127 if the command cannot be started
 */
export function runCommand(context, command, args, { cwd, env, show, shell, guarded }) {
  const isInShell = Boolean(shell) && onWindows;
  // A shell gets one text, because Node 24 warns about a list of arguments, whose items it does not escape.
  const child = spawn(isInShell ? [command, ...args].join(' ') : command, isInShell ? [] : args, {
    cwd,
    env,
    // No command may wait for input.
    stdio: show ? ['ignore', show, 2] : [guarded ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // The command gets a process group of its own, so that its child processes can be stopped with it.
    detached: !onWindows,
    shell: isInShell,
  });
  let stopped = false;
  const stop = () => {
    stopped = true;
    return stopCommand(child);
  };
  context.undo.push(stop);

  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.stderr?.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    const settle = (/** @type {number} */ code) => {
      context.undo = context.undo.filter((undo) => undo !== stop);
      // A step whose command was stopped must not continue while the run is being undone.
      if (!stopped) resolve({ code, output: text.trim() });
    };
    child.on('error', (error) => {
      text += error.message;
      settle(127);
    });
    child.on('close', (code) => settle(code ?? 1));
  });
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
async function stopCommand(child) {
  if (child.pid === undefined) return;
  const ended = new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(undefined);
    child.on('exit', resolve);
    setTimeout(resolve, GRACE);
  });
  if (onWindows) spawn('taskkill', ['/pid', `${child.pid}`, '/t', '/f'], { stdio: 'ignore' });
  else signalGroup(child.pid, 'SIGTERM');
  await ended;
  // Ends the processes of the group that SIGTERM did not end.
  if (!onWindows) signalGroup(child.pid, 'SIGKILL');
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // The whole group has ended.
  }
}
