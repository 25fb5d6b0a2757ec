/**
 * `npm start [directory]`: scaffolds a project as `npm create lumenize-rpc` would, starts it, calls
 * its counter, measures it, and says what to do next. Everything it starts, it stops.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { whenAncestorEnds } from '../harness/ancestors.mjs';
import { startDevServer } from '../harness/dev-server.mjs';
import { run, stop, stopAll } from '../harness/guarded-process.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const project = path.resolve(
  process.env.INIT_CWD ?? '.',
  process.argv[2] ?? path.join(ROOT, 'my-app'),
);
/** The environment of a user's own shell: without the tools that this repository has installed. */
const env = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.startsWith(ROOT))
    .join(path.delimiter),
};
/** The host's Node, which runs npm; this script may be running on the newer one that is pinned. */
const hostNode = process.env.npm_node_execpath ?? process.execPath;

await endWithParent(async () => {
  await scaffold();
  heading('Type check');
  await npm('run', 'typecheck');
  heading('Calls to the counter, with `wrangler dev` running');
  await callCounter();
  heading('Performance');
  await npm('run', 'perf', '--', '--quick');
  printNext();
});

async function scaffold() {
  if (existsSync(path.join(project, 'src', 'counter.ts'))) {
    heading(`${project} is there already and is used as it is`);
    return npm('install');
  }
  heading(`Scaffold ${project}`);
  await run(hostNode, [path.join(ROOT, 'scaffolder', 'index.mjs'), project, '--yes'], { env });
}

async function callCounter() {
  const { url: baseUrl, server } = await startDevServer(project, [], env);
  const { createRpcClient } = await import(
    pathToFileURL(path.join(project, 'src', 'rpc', 'client.ts')).href
  );
  for (const transport of ['websocket', 'http']) {
    using counter = createRpcClient('COUNTER', 'npm-start', { baseUrl, transport });
    await counter.reset();
    await expectAnswer(transport, 'increment()', counter.increment(), 1);
    await expectAnswer(transport, 'increment(41)', counter.increment(41), 42);
    await expectAnswer(transport, 'getValue()', counter.getValue(), 42);
  }
  await stop(server);
}

/**
 * @param {string} transport
 * @param {string} call
 * @param {Promise<number>} answer
 * @param {number} expected
 */
async function expectAnswer(transport, call, answer, expected) {
  const value = await answer;
  console.log(`  ${transport.padEnd(9)}  counter.${call.padEnd(14)}  ${value}`);
  if (value !== expected) throw new Error(`counter.${call} answered ${value}, not ${expected}`);
}

/** @param {string[]} args */
function npm(...args) {
  return run('npm', args, { cwd: project, env });
}

/** @param {string} text */
function heading(text) {
  console.log(`\n${text}\n`);
}

function printNext() {
  const directory = path.relative(process.env.INIT_CWD ?? process.cwd(), project) || '.';
  heading('Next');
  console.log(`  cd ${directory}`);
  console.log('  npm run dev      the page and the Worker, on http://localhost:8787');
  console.log('  npm test         its tests, in the Workers runtime');
  console.log('  npm run perf     the performance test, in full');
  console.log('  npm run deploy   to your Cloudflare account\n');
  console.log('  The Durable Object to edit first is src/counter.ts.');
}

/**
 * Runs the program and ends every child process with it: at its end, at a signal, and when the npm
 * that started it is killed, which no signal tells.
 *
 * @param {() => Promise<void>} program
 */
async function endWithParent(program) {
  process.once('SIGINT', () => end(130));
  process.once('SIGTERM', () => end(143));
  process.once('SIGHUP', () => end(129));
  whenAncestorEnds(() => end(1));
  try {
    await program();
  } catch (error) {
    console.error(`\nnpm start failed: ${error instanceof Error ? error.message : error}`);
    await end(1);
  }
  await stopAll();
}

/** @param {number} code */
function end(code) {
  return stopAll().finally(() => process.exit(code));
}
