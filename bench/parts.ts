/** The parts of the bench, by name. Each measures something, and gives its results as rows. */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import * as tinybench from 'tinybench';
import { profile } from '../runtime/src/perf/measure/profile.ts';
import type { Estimate } from '../runtime/src/perf/measure/statistics.ts';
import { workerd } from '../harness/runtime.ts';
import { measureApart } from './apart/measure.ts';
import { measureBroadcasts } from './broadcast/measure.ts';
import { measureBytes } from './bytes/measure.ts';
import { measureCalls } from './calls/measure.ts';
import { measureCapabilities } from './capabilities/measure.ts';
import { measureClientCpu } from './client-cpu.ts';
import { measureCold } from './cold/measure.ts';
import { measureCosts } from './costs/measure.ts';
import { costRows, costText } from './costs/table.ts';
import { measureDebug } from './debug/measure.ts';
import { commit, cpu } from './machine.ts';
import { measureHeap } from './memory/heap.ts';
import { measureMemory } from './memory/resident.ts';
import type { Part, PartOptions } from './part.ts';
import type { Measurement, Ratio, Row } from './rows.ts';
import { measureScaffolding } from './scaffolding/measure.ts';
import { curve, measureScaleOut } from './scale-out/measure.ts';
import { measureSizes } from './sizes.ts';
import { measureSockets } from './sockets.ts';
import { measureStreams } from './streams/measure.ts';
import { measureUploads } from './uploads/measure.ts';

const DOCS = join(import.meta.dirname, '../docs');

export const PARTS = {
  calls: {
    about: 'calls of one client, by all contenders',
    minutes: 5,
    measure: (options) => measureCalls(false, options),
  },
  apart: {
    about: 'contenders with processes of their own',
    minutes: 1,
    measure: measureApart,
  },
  sockets: {
    about: '100 sockets, each awaiting its own calls: CPU time of the runtime',
    minutes: 1,
    measure: measureSockets,
  },
  client: {
    about: "CPU time of a client's process for an awaited read",
    minutes: 1,
    measure: measureClientCpu,
  },
  cold: {
    about: 'from the start of workerd to the first answer, in production builds',
    minutes: 0.5,
    measure: measureCold,
  },
  broadcasts: {
    about: 'an event to many clients',
    minutes: 2,
    measure: measureBroadcasts,
  },
  memory: {
    about: 'memory of the runtime for a connection',
    minutes: 2,
    measure: measureMemory,
  },
  heap: {
    about: 'heap of a client, and of an object for a connection',
    minutes: 1,
    measure: measureHeap,
  },
  profile: {
    about: 'the steps of a call in one process',
    minutes: 0.5,
    measure: measureProfile,
  },
  sizes: { about: 'bundles', minutes: 0.1, measure: measureSizes },
  scaffolding: {
    about: 'scaffolders: time, downloads, installed size',
    minutes: 3,
    measure: measureScaffolding,
  },
  compressed: {
    about: 'calls, with WebSocket compression',
    minutes: 5,
    isOnRequest: true,
    measure: (options) => measureCalls(true, options),
  },
  bytes: {
    about: 'bytes there and back: time, and peak of memory',
    minutes: 2,
    isOnRequest: true,
    measure: measureBytes,
  },
  streams: {
    about: 'results as streams, also through kills',
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
    about: 'calls on capabilities, and callbacks',
    minutes: 1,
    isOnRequest: true,
    measure: measureCapabilities,
  },
  debug: {
    about: 'debug output, on and off',
    minutes: 2,
    isOnRequest: true,
    measure: measureDebug,
  },
  costs: {
    about: 'frames and rows of calls; writes docs/scale-and-cost.md',
    minutes: 0.2,
    isOnRequest: true,
    async measure({ isQuick, isRecorded }) {
      const costs = await measureCosts(isQuick);
      if (isRecorded) {
        await writeBetween('scale-and-cost.md', 'costs', costText(costs));
      }
      return costRows(costs);
    },
  },
  'scale-out': {
    about: 'increments with 1 to 16 objects; writes docs/scale-and-cost.md',
    minutes: 3,
    isOnRequest: true,
    async measure(options) {
      const rows = await measureScaleOut(options);
      if (options.isRecorded) {
        await writeBetween('scale-and-cost.md', 'curve', `\n${curve(rows)}\n\n`);
      }
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
    commit: commit(),
    node: process.versions.node,
    workerd: workerd.version,
    cpu: cpu(),
    load: loadavg()[0] ?? 0,
    ...(isQuick && { isQuick }),
  };
}

async function measureProfile({ isQuick }: PartOptions): Promise<Row[]> {
  const { steps, cold, ratios } = await (isQuick ? profile(tinybench, 1, 1) : profile(tinybench));
  const json = 'JSON both ways';
  return [
    ...steps.map(({ name: who, time }): Row => ({
      what: 'a step of a call',
      who,
      value: time.value,
      unit: 'µs',
    })),
    ...cold.map(({ name: who, time }): Row => ({
      what: 'a step of a call, with cold caches',
      who,
      value: time.value,
      unit: 'µs',
    })),
    { what: 'one call in process', who: 'its steps', to: { [json]: tripleOf(ratios.steps) } },
    {
      what: 'one call in process',
      who: 'with proxy, frame, dispatch and promise',
      to: { [json]: tripleOf(ratios.call) },
    },
  ];
}

function tripleOf({ value, low, high }: Estimate): Ratio {
  return [value, low, high];
}

/** Writes text between two marks, which are comments: `<!-- name -->` and `<!-- /name -->`. */
async function writeBetween(page: string, name: string, text: string): Promise<void> {
  const path = join(DOCS, page);
  const place = new RegExp(`(?<=<!-- ${name} -->\n).*(?=<!-- (/|end of )${name} -->)`, 's');
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(place, () => text),
  );
}
