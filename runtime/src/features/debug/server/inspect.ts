/** What an object holds, as one report that only reads. */
import {
  type Connection,
  contractOf,
  heldMemoryOf,
  journaledClientsOf,
  openConnectionsOf,
} from '../../../server/feature.ts';
import { objectNameOf } from '../../../wire/object-name.ts';
import { shownClient } from '../../../wire/shown-client.ts';
import { formatValue } from '../wire/format-value.ts';

/** How many connections and clients a report lists, and how many journaled clients it counts. */
const MAX_LISTED = 100;
const MAX_JOURNALED = 1_000;

/** The options of `inspect`. */
export interface InspectOptions<Caller> {
  /** Names the caller that a hook named with `withCaller`. Default: the report has no callers. */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}

/** A connection in a report. */
export interface ConnectionReport {
  /** The first eight characters of the client's id. */
  client?: string;
  caller?: string;
  /** How many of its calls are running. */
  calls: number;
  /** How many subscriptions it has, by kind: `live`, `events`, `stream` or `rows`. */
  subscriptions: Record<string, number>;
}

/** What an object holds. */
export interface ObjectReport {
  /** The name of the object's class. */
  class: string;
  /** The name of the object, or its id. */
  object: string;
  /** The open connections: how many there are, and a list of the first hundred. */
  connections: {
    count: number;
    list: ConnectionReport[];
  };
  /** The bytes that the object holds in memory for its clients, and `limits.memoryPerObject`. */
  memory: {
    held: number;
    limit: number;
    /** The hundred that hold most. One without `client` is held for all clients together. */
    clients: { client?: string; held: number }[];
  };
  /** How many clients the journal has stored, counted up to 1 000; `undefined` without a journal. */
  journal: { clients: number } | undefined;
  /** What the features hold, by name: `feeds`, `capabilities`, `debugUntil`. */
  features: Record<string, unknown>;
}

/**
 * Says what an object holds: connections and their subscriptions, memory by client, journal, feeds and capabilities. It
 * changes nothing, and has no arguments, results, tokens or whole client ids. Names of feeds, classes and callers are in
 * it, so return it only to those who may see them.
 *
 * @param instance - the object
 * @throws TypeError for an object without a contract
 * @example
 * inspect(): ObjectReport {
 *   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
 *   return inspect<Caller>(this, { callerName: (caller) => caller?.user });
 * }
 */
export function inspect<Caller = unknown>(
  instance: object,
  { callerName }: InspectOptions<Caller> = {},
): ObjectReport {
  const contract = contractOf(instance);
  if (!contract)
    throw new TypeError('inspect takes an object with a contract, which has been called');
  const connections = openConnectionsOf(instance);
  const { held, clients } = heldMemoryOf(instance);
  const journaled = journaledClientsOf(instance, contract, MAX_JOURNALED);
  return {
    ...objectNameOf(instance),
    connections: {
      count: connections.length,
      list: connections
        .slice(0, MAX_LISTED)
        .map((connection) =>
          connectionReport(connection, callerName?.(connection.caller as Caller)),
        ),
    },
    memory: {
      held,
      limit: contract.limits.memoryPerObject,
      clients: clients
        .toSorted((one, other) => other.held - one.held)
        .slice(0, MAX_LISTED)
        .map(({ holder, held: bytes }) => heldReport(holder?.client, bytes)),
    },
    journal: journaled === undefined ? undefined : { clients: journaled },
    features: Object.assign({}, ...contract.features.map((feature) => feature.inspect?.(instance))),
  };
}

function connectionReport(
  { client, running, subscriptions }: Connection,
  caller: string | undefined,
): ConnectionReport {
  const report: ConnectionReport = {
    calls: running.size,
    subscriptions: countsOf(subscriptions.records),
  };
  if (client !== undefined) report.client = shownClient(client);
  if (caller !== undefined) report.caller = caller;
  return report;
}

function heldReport(client: string | undefined, held: number): { client?: string; held: number } {
  return client === undefined ? { held } : { client: shownClient(client), held };
}

/** How many records there are of each kind, which is their second element. */
function countsOf(records: readonly (readonly unknown[])[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, kind] of records) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  return counts;
}

/**
 * Prints a report of `inspect`, in a few lines.
 *
 * @param print - prints a line. Default `console.log`.
 * @example
 * printReport(inspect(this));
 */
export function printReport(
  report: ObjectReport,
  print: (line: string) => void = console.log,
): void {
  const { class: name, object, connections, memory, journal, features } = report;
  const note = (text: string): void => print(`${name}/${object} ${text}`);
  note(`holds ${memory.held} of ${memory.limit} bytes for ${connections.count} connections`);
  for (const { client = '?', caller, calls, subscriptions } of connections.list) {
    const who = caller === undefined ? client : `${client} ${caller}`;
    note(`${who}: ${calls} calls run, subscriptions ${formatValue(subscriptions)}`);
  }
  for (const { client = 'all clients', held } of memory.clients) note(`${client}: ${held} bytes`);
  if (journal) note(`journal: ${journal.clients} clients`);
  for (const [key, held] of Object.entries(features)) note(`${key}: ${formatValue(held)}`);
}
