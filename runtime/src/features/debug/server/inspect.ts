/** Makes a report of the data that an object holds. The report changes nothing. */
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

/** The maximum number of connections and clients in a report. */
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
  /** The number of its running calls. */
  calls: number;
  /** The number of its subscriptions, by kind: `live`, `events`, `stream`, `rows` or `presence`. */
  subscriptions: Record<string, number>;
}

/** A report of the data that an object holds. */
export interface ObjectReport {
  /** The name of the object's class. */
  class: string;
  /** The name of the object, or its id. */
  object: string;
  /** The open connections: their number, and a list of the first hundred. */
  connections: {
    count: number;
    list: ConnectionReport[];
  };
  /** The bytes that the object holds in memory for its clients, and `limits.memoryPerObject`. */
  memory: {
    held: number;
    limit: number;
    /** The hundred accounts that hold most. An account without `client` is held for all clients together. */
    clients: { client?: string; held: number }[];
  };
  /** The number of clients that the journal has stored, counted up to 1 000; `undefined` without a journal. */
  journal: { clients: number } | undefined;
  /** The data that features hold, by name: `feeds`, `capabilities`, `debugUntil`. */
  features: Record<string, unknown>;
}

/**
 * Returns a report of the data that an object holds: connections and their subscriptions, memory by client, journal,
 * feeds and capabilities. It changes nothing. The report contains no arguments, results, tokens or whole client ids. It
 * contains the names of feeds, classes and callers, so return it only to callers who may see them.
 *
 * @param instance - the object
 * @param options - `callerName`, which names callers in the report
 * @returns the report
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
    throw new TypeError(
      'inspect needs an object of a class that lumenizeRpcDO has returned: pass this in one of its methods',
    );
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

/** Returns the number of records of each kind. The kind is the second element of a record. */
function countsOf(records: readonly (readonly unknown[])[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, kind] of records) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  return counts;
}

/**
 * Prints a report of `inspect`, in a few lines.
 *
 * @param report - the result of `inspect`
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
