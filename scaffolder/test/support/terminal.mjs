/** Runs the program, or a command that starts it, on a pseudo-terminal on which the test types. */
import { spawn } from '@lydell/node-pty';
import { expect, onTestFinished } from 'vitest';
import { MACHINE_NODE, PROGRAM, userEnvironment } from './run-scaffolder.mjs';

/**
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export function onTerminal(args, { cwd, env }) {
  const environment = { ...userEnvironment, TERM: 'xterm-256color', ...env };
  return typedCommand(MACHINE_NODE, [PROGRAM, ...args], { cwd, env: environment });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
export function typedCommand(command, args, { cwd, env }) {
  const terminal = spawn(command, args, {
    cwd,
    env,
    // Wide enough for the longest temporary path, so that no line is broken.
    cols: 300,
    rows: 50,
  });
  let running = true;
  let output = '';
  terminal.onData((data) => (output += data));
  const ended = new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => {
      running = false;
      resolve(exitCode);
    });
  });
  onTestFinished(() => {
    if (running) terminal.kill('SIGKILL');
  });
  return {
    /** Waits for a text to appear. */
    shows: (/** @type {string} */ text) =>
      expect.poll(() => output, { timeout: 50_000 }).toContain(text),
    type: (/** @type {string} */ keys) => terminal.write(keys),
    output: () => output,
    ended,
  };
}
