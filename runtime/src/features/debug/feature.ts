/** Debug output of a Durable Object. */
import type { Connection, PeerLog, WithCtx } from '../../server/feature.ts';
import { FrameLog } from './wire/frame-log.ts';

/**
 * Shows on the console what clients ask of an object: each frame, each call with how it ended and
 * how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
 */
export function debug({ client }: Connection, instance: object): PeerLog {
  const { id } = (instance as Partial<WithCtx>).ctx ?? {};
  // The first characters of the client's id tell clients apart, and are not enough to act as the client.
  const who = client?.slice(0, 4) ?? '?';
  return new FrameLog(`${instance.constructor.name}/${id?.name ?? id ?? ''} ${who}`);
}
