/** Starts a project's development server on a free port and waits until it answers. */
import { freePort } from './ports.mjs';
import { start } from './guarded-process.mjs';

/**
 * Starts `npm run dev`, which is `wrangler dev`.
 *
 * @param {string} project - the project's folder
 * @param {string[]} [args] - additional arguments of `wrangler dev`
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [script] - another script of the project that is `wrangler dev`
 * @returns {Promise<{ url: string, server: import('node:child_process').ChildProcess }>} rejects
 *   with the server's output if the server ends before it is ready
 */
export async function startDevServer(project, args = [], env = process.env, script = 'dev') {
  const port = await freePort();
  const address = ['--ip', '127.0.0.1', '--port', `${port}`, '--inspector-port', '0'];
  const server = await ready(project, ['run', script, '--', ...address, ...args], env, 'Ready on');
  return { url: `http://127.0.0.1:${port}`, server };
}

/**
 * Does the same for a project that uses Vite.
 *
 * @param {string} project - the project's folder
 * @param {string[]} command - arguments of npm that start Vite in the project
 * @param {NodeJS.ProcessEnv} env
 * @returns {ReturnType<typeof startDevServer>}
 */
export async function startVite(project, command, env) {
  const port = await freePort();
  const args = [...command, '--', '--host', '127.0.0.1', '--port', `${port}`];
  const server = await ready(project, args, env, 'Local:');
  return { url: `http://127.0.0.1:${port}`, server };
}

/**
 * @param {string} project
 * @param {string[]} args - the arguments of npm
 * @param {NodeJS.ProcessEnv} env
 * @param {string} sign - text that the server prints when it is ready
 * @returns {Promise<import('node:child_process').ChildProcess>} the server
 */
function ready(project, args, env, sign) {
  const server = start('npm', args, {
    cwd: project,
    // Without this, the Worker would get the NODE_ENV of the test runner.
    env: { ...env, NODE_ENV: undefined, WRANGLER_SEND_METRICS: 'false' },
    output: 'pipe',
  });
  let log = '';
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk) => {
        log += chunk;
        if (log.includes(sign)) resolve(server);
      });
    }
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${log}`)));
  });
}
