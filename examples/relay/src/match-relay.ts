/** A Durable Object that serves many followers of a match from a copy. relays.ts has the names. */
import { DurableObject } from 'cloudflare:workers';
import { relay, type RelayedFeed } from 'lumenize-rpc/relay';
import { events, live, lumenizeRpcDO, type Route, type RpcObject } from 'lumenize-rpc/server';
import type { Match, MatchEvent, Score } from './match.ts';
import { isRelay, originOf, placeOf, relayFor } from './relays.ts';

/** Not `Env`, so that another Worker, whose `Env` has no match, can import the types of this file. */
interface Bindings {
  MATCH: DurableObjectNamespace<Match>;
  MATCH_RELAY: DurableObjectNamespace<MatchRelay>;
}

class MatchRelayImpl extends DurableObject<Bindings> {
  readonly #match = relay<Match>(this, () => this.#origin());
  readonly #reports = this.#match.feed('reports');
  readonly #score = this.#match.live('getScore');

  reports(): RelayedFeed<MatchEvent> {
    return this.#reports;
  }

  getScore(): Score {
    return this.#score.value;
  }

  /** Wakes the relay, which then goes on by itself: the runtime may evict it while followers stay connected. */
  override alarm(): void {}

  #origin(): DurableObjectStub<Match | MatchRelay> {
    const name = originOf(this.ctx.id.name ?? '');
    return isRelay(name)
      ? this.env.MATCH_RELAY.getByName(name, placeOf(name))
      : this.env.MATCH.getByName(name);
  }
}

export const MatchRelay = lumenizeRpcDO(MatchRelayImpl, { reports: events(), getScore: live() });
export type MatchRelay = RpcObject<typeof MatchRelay>;

/**
 * The option `connectTo` of `routeDORequest`: a WebSocket to a match leads to a relay. Calls that change the match are
 * sent by POST, with the option `transport: 'http'` of a client, and so reach the match itself.
 */
export function connectTo(env: Bindings) {
  return (request: Request, { binding, instance }: Route) => {
    const name = binding === 'MATCH' ? relayFor(instance, request) : undefined;
    return name === undefined ? undefined : env.MATCH_RELAY.getByName(name, placeOf(name));
  };
}
