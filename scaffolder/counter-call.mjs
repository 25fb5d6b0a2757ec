/**
 * This program runs in a project: `counter-call.mjs <state>` starts the Worker with `wrangler dev` and
 * calls its counter over a WebSocket, with the client that the project depends on. The Worker keeps its objects in
 * the folder `state`. The end of standard input means that the parent process has ended.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , state = ''] = process.argv;
const { resolve: resolved } = createRequire(resolve('package.json'));
const program = join(dirname(resolved('wrangler/package.json')), 'bin/wrangler.js');
const args = ['dev', '--ip=127.0.0.1', '--port=0', '--inspector-port=0', '--persist-to', state];
const wrangler = spawn(process.execPath, [program, ...args], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
const ended = once(wrangler, 'close');

// Neither wrangler nor workerd ends with the parent. All these processes are in one process group.
process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL')).resume();

try {
  const { createRpcClient } = await import(pathToFileURL(resolved('lumenize-rpc/client')).href);
  const counter = createRpcClient('COUNTER', 'verify', { baseUrl: await address() });
  // An open client would reconnect for ever.
  const value = await counter.increment().finally(() => counter[Symbol.dispose]());
  if (value !== 1) throw new Error(`increment() of a new counter answered ${value}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
wrangler.kill();
await ended;
process.stdin.destroy();

/** @returns {Promise<string>} rejects with wrangler's output if wrangler ends before it is ready */
async function address() {
  let log = '';
  return new Promise((found, reject) => {
    for (const stream of [wrangler.stdout, wrangler.stderr]) {
      stream.on('data', (chunk) => {
        log += chunk;
        const ready = /Ready on (http\S+)/.exec(log);
        if (ready?.[1]) found(ready[1]);
      });
    }
    void ended.then(() => reject(new Error(log)));
  });
}
