/** A relay that has been an ordinary object, so that it can hibernate under its subscribers, and wake as a relay. */
import { DurableObject } from 'cloudflare:workers';
import { relay, type RelayedFeed } from '../../../src/relay.ts';
import { events, feed, type Feed, lumenizeRpcDO } from '../../../src/server.ts';
import type { Match, MatchEvent } from '../../../../examples/relay/src/match.ts';

interface Bindings {
  MATCH: DurableObjectNamespace<Match>;
}

class WokenRelayImpl extends DurableObject<Bindings> {
  readonly #isRelay = this.ctx.storage.kv.get('isRelay') !== undefined;
  readonly #reports = this.#isRelay
    ? relay<Match>(this, () => this.env.MATCH.getByName(this.ctx.id.name ?? '')).feed('reports')
    : undefined;

  reports(): RelayedFeed<MatchEvent> {
    // The copy has this name.
    return this.#reports ?? (feed(this, '"reports"') as Feed<MatchEvent>);
  }

  beRelay(): void {
    this.ctx.storage.kv.put('isRelay', true);
    void this.ctx.storage.setAlarm(Date.now() + 1e9);
  }

  override alarm(): void {}
}

export const WokenRelay = lumenizeRpcDO(WokenRelayImpl, {
  reports: events(),
  beRelay: [],
});
export type WokenRelay = InstanceType<typeof WokenRelay>;
