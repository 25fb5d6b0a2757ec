/** A Durable Object that serves many followers of a match from a copy. relays.ts lists the matches that have relays. */
import { DurableObject } from 'cloudflare:workers';
import { originOf, relay, type RelayedFeed } from 'lumenize-rpc/relay';
import {
  closeClients,
  events,
  internal,
  live,
  lumenizeRpcDO,
  type Route,
  type RpcObject,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';
import type { Match, MatchEvent, Score } from './match.ts';
import { relayFor, relaysOf } from './relays.ts';

/** This type is used in place of `Env`, so that a Worker whose `Env` has no match can import the types of this file. */
interface Bindings {
  MATCH: DurableObjectNamespace<Match>;
  MATCH_RELAY: DurableObjectNamespace<MatchRelay>;
}

class MatchRelayImpl extends DurableObject<Bindings> {
  readonly #match = relay<Match>(this, () => this.env.MATCH.getByName(originOf(this.ctx.id.name)));

  reports(): RelayedFeed<MatchEvent> {
    return this.#match.feed('reports');
  }

  getScore(): Score {
    return this.#match.live('getScore').value;
  }

  /** Ends the connections of a user to this relay. The function `ban` below calls it. */
  ban(user: string): void {
    closeClients<{ user: string }>(this, (caller) => caller?.user === user);
  }
}

export const MatchRelay = lumenizeRpcDO(MatchRelayImpl, {
  reports: events(),
  getScore: live(),
  ban: internal([Type.String()]),
});
export type MatchRelay = RpcObject<typeof MatchRelay>;

/**
 * The option `connectTo` of `routeDORequest`: a WebSocket to a match that has relays leads to one of these relays.
 * Calls that change the match are sent by POST, with the option `transport: 'http'` of a client, and so reach the match
 * itself.
 */
export function connectTo(env: Bindings) {
  return (request: Request, { binding, instance }: Route) => {
    const place = binding === 'MATCH' ? relayFor(instance, request) : undefined;
    return place && env.MATCH_RELAY.getByName(place.name, place.options);
  };
}

/**
 * Ends the connections of a user to a match and to all of its relays. From now on, refuse the user in the hook
 * `onBeforeConnect` of the Worker.
 */
export async function ban(env: Bindings, match: string, user: string): Promise<void> {
  const relays = relaysOf(match).map(({ name, options }) => {
    return env.MATCH_RELAY.getByName(name, options);
  });
  await Promise.all([env.MATCH.getByName(match), ...relays].map((one) => one.ban(user)));
}
