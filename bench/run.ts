/**
 * `npm run bench`: measures this project and its peers, and writes RESULTS.md, results.json and chart.svg.
 * This file is the main program. Each part has a file of its own.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as tinybench from 'tinybench';
import { contenders } from '../harness/counter-perf.ts';
import { profile } from '../runtime/src/perf/measure/profile.ts';
import { measureApart } from './apart/measure.ts';
import { speedBars } from './bars.ts';
import { measureBroadcasts } from './broadcast/measure.ts';
import { measureCold } from './cold/measure.ts';
import { measureHeap } from './memory/heap.ts';
import { type Memory, measureMemory } from './memory/resident.ts';
import { measurementNow, type Parts } from './parts.ts';
import { lineOf } from './rows.ts';
import { readResults, writeResults } from './results.ts';
import { measureScaffolding } from './scaffolding/measure.ts';
import { measureSizes } from './sizes.ts';
import { CONFIG, measureAsShipped, measureSpeed } from './speed.ts';

const USAGE = `npm run bench -- [parts] [options]

Measures this project beside its peers, in about 15 minutes. The parts are speed, apart, cold, profile, sizes, memory,
heap, broadcasts and scaffolding; without one, all are measured.

  --quick         shows only that everything works; the figures mean little
  --out <folder>  where to write; default bench/, whose other parts stay as they are
  --help          this text`;

const PARTS = [
  'speed',
  'apart',
  'cold',
  'profile',
  'sizes',
  'memory',
  'heap',
  'broadcasts',
  'scaffolding',
] as const;

const { only, quick: isQuick = false, out = import.meta.dirname, help } = readArguments();

const measures: { [Name in keyof Parts]: () => Promise<Parts[Name]> } = {
  async speed() {
    const off = await measureSpeed(false, { isQuick, onProgress: progressOf('compression off') });
    const on = await measureSpeed(true, { isQuick, onProgress: progressOf('compression on') });
    const asShipped = await measureAsShipped(isQuick);
    return { off: off.report, on: on.report, bars: speedBars(on, off, asShipped) };
  },
  apart: () => measureApart(isQuick, CONFIG, progressOf('apart')),
  async cold() {
    const rows = await measureCold(isQuick, progressOf('cold'));
    for (const row of rows) console.log(lineOf(row));
    return rows;
  },
  profile: () => (isQuick ? profile(tinybench, 1, 1) : profile(tinybench)),
  sizes: measureSizes,
  memory: measureAllMemory,
  heap: () =>
    measureHeap(
      isQuick
        ? { config: CONFIG, connected: 5, others: 5, idle: 0 }
        : { config: CONFIG, connected: 1_000, others: 10_000, idle: 20_000 },
    ),
  broadcasts: () => measureBroadcasts(isQuick, progressOf('broadcasts')),
  scaffolding: () => measureScaffolding(isQuick ? 1 : 30, !isQuick),
};

if (help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  // Each runtime listens for signals, and several run at the same time.
  process.setMaxListeners(100);
  // rpc.do leaves promises that reject. These must not end the measurement of the others.
  process.on('unhandledRejection', (error) => {
    if (!String((error as Error | undefined)?.stack).includes('/node_modules/')) throw error;
  });
  try {
    await mkdir(out, { recursive: true });
    await measureParts(only.length > 0 ? only : PARTS);
  } catch (error) {
    // A signal sets the exit code itself, and causes errors that need no message.
    if (process.exitCode === undefined) console.error('bench:', error);
    // Clients with open connections would reconnect for ever.
    process.exit(process.exitCode ?? 1);
  }
}

async function measureParts(names: readonly (keyof Parts)[]): Promise<void> {
  const results = await readResults(out);
  for (const name of names) {
    say(name);
    const measured = measurementNow(isQuick);
    Object.assign(results, { [name]: { measured, result: await measures[name]() } });
    // Results are written after each part, so that they are not lost if a later part fails.
    await writeResults(out, results);
  }
  say(`wrote ${join(out, 'RESULTS.md')}`);
}

/** Measures all contenders at the same time, because the memory of a runtime does not depend on its speed. */
async function measureAllMemory(): Promise<Parts['memory']> {
  const some = isQuick ? /^this RPC$/ : /^(?!.*(own fetch|no journal))/;
  const withConnection = contenders.filter(
    ({ name, isConnectionless }) => !isConnectionless && some.test(name),
  );
  const options = isQuick
    ? { config: CONFIG, counts: [5, 10], idle: 0 }
    : { config: CONFIG, counts: [500, 1000], idle: 13_000 };
  const memory: Memory[] = [];
  try {
    for (const compression of [false, true]) {
      const all = withConnection.map((one) => measureMemory(one, { ...options, compression }));
      memory.push(...(await Promise.all(all)));
    }
    return memory;
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

function progressOf(what: string): (text: string) => void {
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}, ${text}`);
  };
}

function say(text: string): void {
  console.log(`bench: ${text}`);
}

function readArguments() {
  const boolean = { type: 'boolean' } as const;
  const string = { type: 'string' } as const;
  const options = {
    quick: boolean,
    help: boolean,
    out: string,
  } as const;
  try {
    const { positionals: parts, values: rest } = parseArgs({ options, allowPositionals: true });
    const unknown = parts.find((part) => !(PARTS as readonly string[]).includes(part));
    if (unknown) throw new Error(`There is no part ${unknown}`);
    return { ...rest, only: parts as (typeof PARTS)[number][] };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
