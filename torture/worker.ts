/** The Worker under torture: its objects behind the router. */
import { bytes, lumenizeRpcDO, routeDORequest } from '../runtime/src/server.ts';
import { AnnouncerImpl, announcerContract } from './announcer.ts';
import { LedgerImpl, ledgerContract } from './ledger.ts';
import { StreamerImpl, streamerContract } from './streamer.ts';

export const Ledger = lumenizeRpcDO(LedgerImpl, ledgerContract, { bytes });
export type Ledger = InstanceType<typeof Ledger>;

export const Announcer = lumenizeRpcDO(AnnouncerImpl, announcerContract);
export type Announcer = InstanceType<typeof Announcer>;

/** Its `streamTimeout` is shorter than the default of a minute, so that a run takes less time. */
export const Streamer = lumenizeRpcDO(StreamerImpl, streamerContract, {
  streamTimeout: 20_000,
  bytes,
});
export type Streamer = InstanceType<typeof Streamer>;

/** Defined if workerd runs with `--expose-gc`. */
declare const gc: (() => void) | undefined;

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    if (new URL(request.url).pathname === '/collect-garbage') {
      gc?.();
      return new Response(typeof gc);
    }
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
