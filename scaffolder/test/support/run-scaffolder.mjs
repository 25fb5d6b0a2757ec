/** Runs the program as a user does, without the variables of this run's npm in its environment. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The Node of the machine, which may be older than the one that this repository pins and tests with. */
export const MACHINE_NODE = process.env['npm_node_execpath'] ?? process.execPath;

/** The bundle, as in the package: see the global setup. */
export const PROGRAM = fileURLToPath(new URL('../../../dist/index.cjs', import.meta.url));

/** This process's environment, without the variables of npm scripts and Vitest. */
export const userEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|CI$|NODE_ENV$|NODE_OPTIONS$|NO_COLOR$|FORCE_COLOR$)/i.test(name),
  ),
);

/** @typedef {{ code: number | null, out: string, err: string }} Outcome */

/**
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Outcome>}
 */
export function runScaffolder(args, options) {
  return startScaffolder(args, options).ended;
}

/**
 * @param {Parameters<typeof runScaffolder>} parameters
 * @returns {{ kill: (signal: NodeJS.Signals) => void, ended: Promise<Outcome> }}
 */
export function startScaffolder(...[args, { cwd, env }]) {
  const child = spawn(MACHINE_NODE, [PROGRAM, ...args], {
    cwd,
    env: { ...userEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return {
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out, err }));
    }),
  };
}
