/** The Worker under torture: its objects, and the router. */
import { collectGarbage } from '../../harness/runtime/garbage-route.ts';
import { routeHttpRequest } from '../../runtime/src/http.ts';
import { bytes, lumenizeRpcDO, routeDORequest, type RpcObject } from '../../runtime/src/server.ts';
import { AnnouncerImpl, announcerContract } from './announcer.ts';
import { LedgerImpl, ledgerContract } from './ledger.ts';
import { PointersImpl, pointersContract } from './pointers.ts';
import { ScaleImpl, scaleContract } from './scale.ts';
import { StreamerImpl, streamerContract } from './streamer.ts';

export const Ledger = lumenizeRpcDO(LedgerImpl, ledgerContract, { use: [bytes] });
export type Ledger = RpcObject<typeof Ledger>;

export const Announcer = lumenizeRpcDO(AnnouncerImpl, announcerContract);
export type Announcer = RpcObject<typeof Announcer>;

/** Its `streamTimeout` is shorter than the default of a minute, so that a run takes less time. */
export const Streamer = lumenizeRpcDO(StreamerImpl, streamerContract, {
  streamTimeout: 20_000,
  use: [bytes],
});
export type Streamer = RpcObject<typeof Streamer>;

export const Pointers = lumenizeRpcDO(PointersImpl, pointersContract);
export type Pointers = RpcObject<typeof Pointers>;

export const Scale = lumenizeRpcDO(ScaleImpl, scaleContract, { use: [bytes] });
export type Scale = RpcObject<typeof Scale>;

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const answer =
      collectGarbage(request) ??
      (await routeHttpRequest(request, env, {
        classes: { LEDGER: Ledger, ANNOUNCER: Announcer },
      })) ??
      (await routeDORequest(request, env));
    return answer ?? new Response('Not found', { status: 404 });
  },
};
