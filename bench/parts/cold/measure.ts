/**
 * Measures cold starts: the time from the start of a bare workerd to the first answer of an object. The Workers are
 * production builds, and import the built package of this project.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newWebSocketRpcSession } from 'capnweb';
import { memoryFolder } from '../../../harness/runtime/memory-folder.mjs';
import { workerd } from '../../../harness/runtime.ts';
import { bundle, bundleWorker, WORKERD_CONFIG } from '../../../harness/runtime/worker-bundle.ts';
import { buildPackage } from '../../../runtime/build.mjs';
import { createRpcClient, RpcError } from '../../../runtime/src/client.ts';
import { translated } from '../../../scaffolder/schemas/translations.mjs';
import { validating } from '../../contenders/serve.ts';
import {
  CAPNWEB,
  COLD,
  COLD_COUNTER,
  COLD_COUNTER_VALIBOT,
  COLD_MANY,
  COLD_MANY_VALIBOT,
  FLOOR,
  MANY,
  VALIDATED,
} from '../../results/names.ts';
import type { PartOptions } from '../../part.ts';
import { type Row, rowsOf } from '../../results/rows.ts';
import { inTurns } from '../../turns.ts';
import { type Library, manyMethods } from './many-methods.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STORAGE = 'objects';

/** A Worker whose class `Counter` has `increment`. */
interface Starter {
  name: string;
  main: string;
  /** Opens a connection and increments once. */
  ask(url: string): Promise<number>;
  /** Methods, with arguments that they have to refuse. */
  refuses?: Readonly<Record<string, readonly unknown[]>>;
}

/** @throws Error if workerd does not start, or an answer is wrong */
export async function measureCold({ isQuick, note }: PartOptions): Promise<Row[]> {
  // The folder is in the repository, so that the built Workers find their packages.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.bench-cold-'));
  const served = await mkdtemp(join(memoryFolder(), 'lumenize-rpc-cold-'));
  try {
    const runtime = join(folder, 'lumenize-rpc');
    await buildPackage(runtime);
    const acts = new Map<string, () => Promise<number>>();
    const sizes: Row[] = [];
    for (const [index, starter] of (await startersIn(folder)).entries()) {
      const { name, main, ask } = starter;
      const directory = join(served, String(index));
      await mkdir(directory);
      const code = await bundle(main, {
        minify: true,
        runtime: join(runtime, 'dist'),
        plugins: [validating()],
      });
      const config = { main, bindings: { COUNTER: 'Counter' } };
      await bundleWorker({ code, config, webSocketCompression: false }, directory, STORAGE);
      await firstAnswer(directory, (url) => checkedAnswer(url, starter));
      acts.set(name, () => firstAnswer(directory, ask));
      sizes.push({ what: 'worker, minified', who: name, value: code.length, unit: 'bytes' });
    }
    const turns = isQuick ? { rounds: 2, warmUp: 0 } : { rounds: 40 };
    const times = await inTurns(acts, {
      ...turns,
      onRound: (round) => note(`start ${round + 1} of ${turns.rounds}`),
    });
    return [...rowsOf(COLD, 'ms', times, [CAPNWEB, VALIDATED, FLOOR]), ...sizes];
  } finally {
    for (const one of [folder, served]) await rm(one, { recursive: true, force: true });
  }
}

/** Arguments that no method of the counter accepts. */
const WRONG_COUNTS = { increment: [0] };
/** Arguments that methods with texts, an order and a dictionary do not accept. */
const WRONG_MANY = {
  ...WRONG_COUNTS,
  method1: [''],
  method3: [{ lines: [] }],
  method6: [{ a: '' }],
};

/** @param folder - the folder in which the Workers are written */
async function startersIn(folder: string): Promise<Starter[]> {
  const source = (name: string): string => join(import.meta.dirname, name);
  const template = join(ROOT, 'template/src');
  const written = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const counter = await readFile(join(template, 'counter.ts'), 'utf8');
  await written('counter.ts', translated(counter, { name: 'valibot' }));
  const counterWithValibot = await written(
    'index.ts',
    await readFile(join(template, 'index.ts'), 'utf8'),
  );
  const many = (library: Library): Promise<string> =>
    written(`many-${library}.ts`, manyMethods(MANY - 1, library));
  return [
    { name: FLOOR, main: source('by-hand.ts'), ask: askByHand },
    { name: CAPNWEB, main: source('capnweb.ts'), ask: askCapnweb },
    { name: VALIDATED, main: source('capnweb-validated.ts'), ask: askCapnweb },
    { name: COLD_COUNTER, main: join(template, 'index.ts'), ask: askThis, refuses: WRONG_COUNTS },
    { name: COLD_MANY, main: await many('TypeBox'), ask: askThis, refuses: WRONG_MANY },
    {
      name: COLD_COUNTER_VALIBOT,
      main: counterWithValibot,
      ask: askThis,
      refuses: WRONG_COUNTS,
    },
    { name: COLD_MANY_VALIBOT, main: await many('Valibot'), ask: askThis, refuses: WRONG_MANY },
  ];
}

/**
 * Increments once, and calls methods with wrong arguments.
 *
 * @throws Error if a method accepts wrong arguments
 */
async function checkedAnswer(url: string, { name, ask, refuses = {} }: Starter): Promise<number> {
  const value = await ask(url);
  using counter = createRpcClient<object>('COUNTER', 'cold', { baseUrl: url });
  const methods = counter as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const [method, args] of Object.entries(refuses)) {
    const outcome = await methods[method]?.(...args).catch((error: unknown) => error);
    if (!(outcome instanceof RpcError) || outcome.code !== 'INVALID_ARGUMENTS')
      throw new Error(`${name}: ${method}(${JSON.stringify(args)}) returned ${String(outcome)}`);
  }
  return value;
}

/**
 * Starts workerd with empty storage, and kills it after the first answer.
 *
 * @returns milliseconds from the start to the answer
 */
async function firstAnswer(directory: string, ask: Starter['ask']): Promise<number> {
  const storage = join(directory, STORAGE);
  await rm(storage, { recursive: true, force: true });
  await mkdir(storage);
  const begun = performance.now();
  const child = spawn(workerd.default, ['serve', '--control-fd=3', WORKERD_CONFIG], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  try {
    const told = once(child.stdio[3] as Readable, 'data');
    const failed = ended.then(([code]) => {
      throw new Error(`workerd ended with the code ${code}`);
    });
    failed.catch(() => {});
    const [chunk] = (await Promise.race([told, failed])) as [Buffer];
    const { port } = JSON.parse(String(chunk).split('\n')[0] as string) as { port: number };
    const value = await Promise.race([ask(`http://127.0.0.1:${port}`), failed]);
    const time = performance.now() - begun;
    if (value !== 1) throw new Error(`The first increment returned ${value} and not 1`);
    return time;
  } finally {
    kill();
    process.off('exit', kill);
    await ended;
  }
}

async function askThis(baseUrl: string): Promise<number> {
  using counter = createRpcClient<{ increment(): number }>('COUNTER', 'cold', { baseUrl });
  return await counter.increment();
}

async function askCapnweb(url: string): Promise<number> {
  using counter = newWebSocketRpcSession<{ increment(): number }>(url.replace('http', 'ws'));
  return await counter.increment();
}

async function askByHand(url: string): Promise<number> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  await once(socket, 'open');
  socket.send(JSON.stringify([1, 'increment']));
  const [{ data }] = (await once(socket, 'message')) as [MessageEvent];
  socket.close();
  const [, value] = JSON.parse(String(data)) as [number, number];
  return value;
}
