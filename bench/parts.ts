/** The parts of the bench, by name. Each part measures one subject, and returns its results as rows. */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { commit, cpu } from '../harness/machine.ts';
import { workerd } from '../harness/runtime.ts';
import { markdownTable, withPlace } from '../scripts/pages/markdown.mjs';
import { measureApart } from './parts/apart.ts';
import { measureBroadcasts } from './parts/broadcasts/measure.ts';
import { measureBytes } from './parts/bytes.ts';
import { measureCalls } from './parts/calls.ts';
import { measureCapabilities } from './parts/capabilities.ts';
import { measureClientCpu } from './parts/client-cpu.ts';
import { measureCold } from './parts/cold/measure.ts';
import { costRows, costTable, measureCosts } from './parts/costs.ts';
import { measureHttp } from './parts/http.ts';
import { measureHeap } from './parts/memory/heap.ts';
import type { Part } from './part.ts';
import { figureText, type Measurement, type Row } from './results/rows.ts';
import { measureObserved } from './parts/observed.ts';
import { measureRelays } from './parts/relays.ts';
import { curve, measureScaleOut } from './parts/scale-out.ts';
import { measureSizes } from './parts/sizes.ts';
import { measureSockets } from './parts/sockets.ts';
import { measureStreams } from './parts/streams.ts';
import { measureUploads } from './parts/uploads.ts';

const COSTS = join(import.meta.dirname, '../docs/scale-and-cost.md');
const RELAYS = join(import.meta.dirname, '../runtime/docs/guides/relays.md');

export const PARTS = {
  calls: {
    about: 'calls of one client, by all contenders',
    minutes: 5,
    measure: (options) => measureCalls(false, options),
  },
  apart: {
    about: 'calls, with a runtime and a client process for each contender',
    minutes: 1,
    measure: measureApart,
  },
  sockets: {
    about: 'CPU time of the runtime for calls of 100 connections',
    minutes: 1,
    measure: measureSockets,
  },
  client: {
    about: "CPU time of a client's process for an awaited read",
    minutes: 1,
    measure: measureClientCpu,
  },
  cold: {
    about: 'time from the start of workerd to the first answer, in production builds',
    minutes: 0.5,
    measure: measureCold,
  },
  broadcasts: {
    about: 'an event to many clients',
    minutes: 2,
    measure: measureBroadcasts,
  },
  heap: {
    about: 'heap of a client, and heap of an object for each connection',
    minutes: 1,
    measure: measureHeap,
  },
  sizes: { about: 'sizes of bundles', minutes: 0.1, measure: measureSizes },
  compressed: {
    about: 'calls, with WebSocket compression',
    minutes: 5,
    isOnRequest: true,
    measure: (options) => measureCalls(true, options),
  },
  bytes: {
    about: 'bytes as argument and result: time, and peak of memory',
    minutes: 2,
    isOnRequest: true,
    measure: measureBytes,
  },
  streams: {
    about: 'results as streams, also while the runtime is killed',
    minutes: 2,
    isOnRequest: true,
    measure: measureStreams,
  },
  uploads: {
    about: 'arguments as streams',
    minutes: 1,
    isOnRequest: true,
    measure: measureUploads,
  },
  capabilities: {
    about: 'calls of capabilities, and callbacks',
    minutes: 1,
    isOnRequest: true,
    measure: measureCapabilities,
  },
  observed: {
    about: 'calls that are reported or traced',
    minutes: 2,
    isOnRequest: true,
    measure: measureObserved,
  },
  http: {
    about: 'calls by plain HTTP, compared with a route by hand',
    minutes: 1,
    isOnRequest: true,
    measure: measureHttp,
  },
  relays: {
    about: 'an event through relays: delay, and CPU time of the origin',
    minutes: 2,
    isOnRequest: true,
    async measure(options) {
      const rows = await measureRelays(options);
      if (options.isRecorded) await writeInto(RELAYS, 'relays', markdownTable(tableOf(rows)));
      return rows;
    },
  },
  costs: {
    about: 'frames and rows of calls; writes docs/scale-and-cost.md',
    minutes: 0.2,
    isOnRequest: true,
    async measure({ isQuick, isRecorded }) {
      const costs = await measureCosts(isQuick);
      if (isRecorded) await writeInto(COSTS, 'costs', markdownTable(costTable(costs)));
      return costRows(costs);
    },
  },
  'scale-out': {
    about: 'increments with 1 to 16 objects; writes docs/scale-and-cost.md',
    minutes: 3,
    isOnRequest: true,
    async measure(options) {
      const rows = await measureScaleOut(options);
      if (options.isRecorded) await writeInto(COSTS, 'curve', curve(rows));
      return rows;
    },
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

export function measurementNow(isQuick: boolean): Measurement {
  return {
    time: new Date().toISOString(),
    commit: commit(['bench/RESULTS.md', 'bench/results.json']),
    node: process.versions.node,
    workerd: workerd.version,
    cpu: cpu(),
    load: loadavg()[0] ?? 0,
    ...(isQuick && { isQuick }),
  };
}

/** Writes a table into its place in a page. */
async function writeInto(page: string, place: string, table: string): Promise<void> {
  await writeFile(page, withPlace(await readFile(page, 'utf8'), place, table));
}

/** Returns the rows of a part, as a table of a page. */
function tableOf(rows: readonly Row[]): string[][] {
  const lines = rows.map(({ what, who, value = Number.NaN, unit = '' }, index) => [
    what === rows[index - 1]?.what ? '' : what,
    who,
    `${figureText(value)} ${unit}`,
  ]);
  return [['measured', 'with', 'figure'], ...lines];
}
