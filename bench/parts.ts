/** The parts of a run, each with the time and the machine of its measurement. */
import { loadavg } from 'node:os';
import type { Profile } from '../runtime/src/perf/measure/profile.ts';
import type { Apart } from './apart/measure.ts';
import type { Bar } from './bars.ts';
import type { Broadcasts } from './broadcast/measure.ts';
import { commit, cpu } from './machine.ts';
import type { HeapUse } from './memory/heap.ts';
import type { Memory } from './memory/resident.ts';
import type { Row } from './rows.ts';
import type { Scaffolding } from './scaffolding/measure.ts';
import type { Sizes } from './sizes.ts';
import type { Speed } from './speed.ts';

export interface Parts {
  apart: Apart;
  cold: Row[];
  speed: { off: Speed['report']; on: Speed['report']; bars: Bar[] };
  profile: Profile;
  sizes: Sizes;
  memory: Memory[] | { failure: string };
  heap: HeapUse[];
  broadcasts: Broadcasts;
  scaffolding: Scaffolding;
}

/** The time and the conditions of a measurement. */
export interface Measurement {
  time: string;
  commit: string;
  node: string;
  cpu: string;
  /** Load of the machine at the start: the average of processes that want to run, over a minute. */
  load: number;
  isQuick: boolean;
}

export type Results = { [Name in keyof Parts]?: { measured: Measurement; result: Parts[Name] } };

export function measurementNow(isQuick: boolean): Measurement {
  return {
    time: new Date().toISOString(),
    commit: commit(),
    node: process.versions.node,
    cpu: cpu(),
    load: loadavg()[0] ?? 0,
    isQuick,
  };
}
