/** Debug output of both ends under one name: a function for clients, which is also the feature of an object. */
import type { Featured } from '../../server/feature.ts';
import type { Transport } from '../../client/transport.ts';
import { debug as debugClient } from './client/debug.ts';
import { logOf } from './server/connection-log.ts';

/** The function that the option `debug` of a client takes. */
type DebugClient = (transport: Transport, binding: string, instance: string) => Transport;

/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, and each call with its
 * outcome and its duration. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
 */
export const debug: DebugClient & Featured = /* @__PURE__ */ Object.assign(
  // The function is a copy, because the function for clients alone must not have a feature.
  /* @__PURE__ */ debugClient.bind(undefined),
  {
    '~feature': {
      name: 'debug',
      version: 1,
      onFrame: (direction, frame, connection, instance) =>
        logOf(connection, instance)[direction](frame),
    },
  } satisfies Featured,
);

export {
  debugFor,
  type DebugForOptions,
  debugOnDemand,
  type DebugOnDemandOptions,
} from './server/on-demand.ts';
export { inspect, type InspectOptions, type ObjectReport, printReport } from './server/inspect.ts';
