/**
 * A process that abuses an object, or sends it as much of good will; ends, with a report, when its
 * parent (abusers.ts) says so. Imports harness/, abuses and flood.
 */
import { until } from '../harness/waiting.mjs';
import { type Abuse, ABUSES } from './abuses.ts';
import { now } from './calls.ts';
import { Flood } from './flood.ts';

export interface AbuserSettings {
  name: string;
  /** Of the object's `call` path. */
  url: string;
  /** Pieces a second that are sent of good will; without it there is abuse. */
  rate?: number;
}

export interface AbuserReport {
  /** Pieces a second that were done with. */
  rate: number;
  connections: number;
}

const { name, url, rate } = JSON.parse(process.argv[2] ?? '') as AbuserSettings;
const { abuse, goodWill } = ABUSES.find((one) => one.name === name) as Abuse;
const flood = new Flood({ url, ...(rate === undefined ? abuse(url) : { ...goodWill(url), rate }) });

process.once('disconnect', () => process.exit());
await until(() => flood.done > 0);
const before = { done: flood.done, at: now() };
process.send?.('begun');
process.once('message', () => {
  const report: AbuserReport = {
    rate: ((flood.done - before.done) / (now() - before.at)) * 1_000,
    connections: flood.connections,
  };
  flood.stop();
  process.send?.(report, () => process.exit());
});
