/**
 * The table of RESULTS.md that compares this package with code by hand, and with Cap'n Web. The module is pure.
 */
import { markdownTable } from '../../scripts/pages/markdown.mjs';
import * as names from './names.ts';
import { ratioText, type Results, rowIn } from './rows.ts';

const { CAPNWEB, FLOOR, ofEvent, ofSockets, THIS_RPC, VALIDATED } = names;

interface Comparison {
  /** The name of the row, for readers who have not seen the bench. */
  name: string;
  /** The part of the bench, the workload in it, and the variant of this package. */
  part: string;
  what: string;
  who?: string;
  /** The contenders of the columns "code by hand" and "Cap'n Web", if they differ from the usual contenders. */
  to?: readonly [byHand: string, rival: string];
}

/** The first rows are the most common calls. Calls that share a frame come last. */
const COMPARISONS: readonly Comparison[] = [
  { name: 'A call that adds to a counter, awaited', part: 'calls', what: names.INCREMENTS },
  { name: 'A call that reads a counter, awaited', part: 'calls', what: names.READS },
  { name: 'Both calls in turns, awaited', part: 'calls', what: names.MIXED },
  {
    name: "CPU time of the client's process for an awaited read",
    part: 'client',
    what: names.CLIENT_READ,
  },
  {
    name: 'CPU time of the runtime for a call that adds, from 100 connections',
    part: 'sockets',
    what: ofSockets('increments', 'cpu'),
  },
  {
    name: 'CPU time of the runtime for a call that reads, from 100 connections',
    part: 'sockets',
    what: ofSockets('reads', 'cpu'),
  },
  {
    name: '100 functions that share a client and await 3 calls each',
    part: 'apart',
    what: names.CALLERS,
  },
  { name: 'The first answer on a new connection', part: 'calls', what: names.FIRST_ANSWER },
  { name: 'An object of 10 KiB as argument and result', part: 'calls', what: names.OBJECT },
  {
    name: 'Dates, bigints and bytes of 2.5 kB as argument and result',
    part: 'apart',
    what: names.TYPED_VALUE,
  },
  {
    name: 'A Map, a Set and shared rows of 2 kB as argument and result',
    part: 'apart',
    what: names.RICH_VALUE,
  },
  {
    name: '1 MiB of bytes as argument and result, with the option `bytes`',
    part: 'calls',
    what: names.BYTES,
    who: names.WITH_BYTES,
  },
  {
    name: '1 MiB of bytes as argument and result, without the option',
    part: 'calls',
    what: names.BYTES,
  },
  {
    name: 'The first answer after a start of a Worker, with 2 methods',
    part: 'cold',
    what: names.COLD,
    who: names.COLD_COUNTER,
  },
  {
    name: 'The first answer after a start of a Worker, with 50 methods',
    part: 'cold',
    what: names.COLD,
    who: names.COLD_MANY,
  },
  {
    name: '1 000 calls that add, made at once',
    part: 'calls',
    what: names.INCREMENTS_IN_FLIGHT,
  },
  { name: '1 000 calls that read, made at once', part: 'calls', what: names.READS_IN_FLIGHT },
  {
    name: 'An event to 100 subscribers, until all have it',
    part: 'broadcasts',
    what: ofEvent(100, 'last'),
    who: names.FEED,
    to: [names.LOOP, names.CALLBACKS],
  },
];

const COLUMNS = ['compared with code by hand', `with ${CAPNWEB}`, `with ${CAPNWEB}, validated`];
/** The check of arguments, for each column. */
const CHECKS = ['no', 'no', 'by types'];

/**
 * Formats the table. A row without a measurement is left out, and so is a column.
 *
 * @param results - the results of the bench
 * @returns Markdown that the formatter does not change; empty if nothing has been measured
 */
export function comparisonTable(results: Results): string {
  const rows = COMPARISONS.flatMap(
    ({ name, part, what, who = THIS_RPC, to = [FLOOR, CAPNWEB] }) => {
      const ratios = rowIn(results, part, what, who)?.to ?? {};
      const cells = [...to, VALIDATED].map((contender) => ratios[contender]);
      return cells.some(Boolean) ? [{ name, cells }] : [];
    },
  );
  if (rows.length === 0) return '';
  const columns = COLUMNS.map((_, column) => column).filter((column) =>
    rows.some(({ cells }) => cells[column]),
  );
  const line = (name: string, cells: readonly (string | undefined)[]): string[] => [
    name,
    ...columns.map((column) => cells[column] ?? '–'),
  ];
  return markdownTable([
    line('', COLUMNS),
    line('Are arguments checked? (This package: by schemas)', CHECKS),
    ...rows.map(({ name, cells }) =>
      line(
        name,
        cells.map((ratio) => ratio && ratioText(ratio)),
      ),
    ),
  ]);
}
