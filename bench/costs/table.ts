/**
 * The cost of a million calls in Cloudflare's prices, as rows and as the table of
 * docs/guides/what-do-a-million-calls-cost.md. Pure.
 */
import { grouped } from '../../scripts/grouped.mjs';
import { markdownTable } from '../../scripts/markdown-table.mjs';
import type { Row } from '../rows.ts';
import type { Cost } from './measure.ts';

const MILLION = 1_000_000;

/**
 * Prices in dollars for one unit, in November 2026, beyond the included amounts:
 * https://developers.cloudflare.com/durable-objects/platform/pricing/
 */
const PRICES = {
  request: 0.15 / MILLION,
  rowRead: 0.001 / MILLION,
  rowWritten: 1 / MILLION,
  gigabyteSecond: 12.5 / MILLION,
};

/** Incoming WebSocket messages for the price of one request. */
const MESSAGES_A_REQUEST = 20;

/** Memory that an object is billed for, independent of how much of its 128 MB it uses. */
const GIGABYTES = 0.128;

/** @returns the rows of the table, the head first */
export function costTable(costs: readonly Cost[]): string[][] {
  const head = [
    '1 000 000 …',
    'frames up',
    'requests',
    'rows read',
    'rows written',
    'GB-s',
    'dollars',
  ];
  return [head, ...costs.map(rowOf)];
}

function rowOf({ what, frames, rowsRead, rowsWritten, seconds }: Cost): string[] {
  const requests = frames / MESSAGES_A_REQUEST;
  const gigabyteSeconds = seconds * GIGABYTES;
  const dollars =
    requests * PRICES.request +
    rowsRead * PRICES.rowRead +
    rowsWritten * PRICES.rowWritten +
    gigabyteSeconds * PRICES.gigabyteSecond;
  const counts = [frames, requests, rowsRead, rowsWritten].map(spaced);
  return [what, ...counts, spaced(gigabyteSeconds), (dollars * MILLION).toFixed(2)];
}

/** Formats the value for a million, with three significant digits. */
function spaced(ofOne: number): string {
  const rounded = Number((ofOne * MILLION).toPrecision(3));
  return grouped(Math.round(rounded));
}

export function costText(costs: readonly Cost[]): string {
  return `\n${markdownTable(costTable(costs))}\n\n`;
}

/** @returns rows of the costs of one call or event */
export function costRows(costs: readonly Cost[]): Row[] {
  return costs.flatMap(({ what, frames, rowsRead, rowsWritten, seconds }): Row[] => {
    const who = 'this RPC';
    return [
      { what: `${what}: frames up`, who, value: frames },
      { what: `${what}: rows read`, who, value: rowsRead },
      { what: `${what}: rows written`, who, value: rowsWritten },
      { what: `${what}: time`, who, value: seconds * 1e6, unit: 'µs' },
    ];
  });
}
