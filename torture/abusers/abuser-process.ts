/**
 * A process that abuses an object, or sends as many valid messages. It ends with a report when its parent
 * (scenarios/abuse.ts) sends a message.
 */
import { readSettings } from '../../harness/child-program.ts';
import { until } from '../../harness/waiting.mjs';
import { type Abuse, ABUSES } from './abuses.ts';
import { now } from '../clients/evidence.ts';
import { Flood } from './flood.ts';

export interface AbuserSettings {
  name: string;
  /** The URL of the object's `call` path. */
  url: string;
  /** The number of valid pieces per second. Without it, the process sends abuse. */
  rate?: number;
}

export interface AbuserReport {
  /** The number of pieces per second that were answered, or sent if no answer is read. */
  rate: number;
  connections: number;
}

const { name, url, rate } = readSettings<AbuserSettings>();
const { abuse, goodWill } = ABUSES.find((one) => one.name === name) as Abuse;
const flood = new Flood({ url, ...(rate === undefined ? abuse(url) : { ...goodWill(url), rate }) });

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
