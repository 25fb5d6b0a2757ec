/** An object that names its matches only in its methods, and so knows none of them when it wakes. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { relay, type RelayedFeed } from '../../../src/relay.ts';
import { CopiedLog } from '../../../src/features/feeds/server/copied-log.ts';
import type { CopiedFeed } from '../../../src/features/feeds/server/feed-kind.ts';
import { OpenFeed } from '../../../src/features/feeds/server/open-feed.ts';
import { FEED, PACKAGE_COPY } from '../../../src/server/feature.ts';
import { events, live, lumenizeRpcDO, read } from '../../../src/server.ts';
import type { Match, MatchEvent, Score } from '../../../../examples/relay/src/match.ts';

interface Bindings {
  MATCH: DurableObjectNamespace<Match>;
}

/** The key under which a relay stores the alarm of the class. See `shared-alarm.ts`. */
const SHARED = '__rpc_relay_alarm';

class WokenRelayImpl extends DurableObject<Bindings> {
  /** A test cannot evict a relay, because it has a socket. In its first life, the object only looks like a relay. */
  readonly #isRelay = [SHARED, 'isRelay'].some((key) => this.ctx.storage.kv.get(key) !== undefined);

  reports(match: string): RelayedFeed<MatchEvent> {
    if (this.#isRelay) return this.#match(match).feed('reports');
    const copy: CopiedFeed = {
      [FEED]: PACKAGE_COPY,
      window: 64,
      reach: async () => ({
        feed: new OpenFeed('', new CopiedLog()),
        position: { event: 0, epoch: '' },
        snapshot: '',
        hasGap: false,
      }),
    };
    return copy as object as RelayedFeed<MatchEvent>;
  }

  score(match: string): Score {
    return this.#isRelay ? this.#match(match).live('getScore').value : { home: 0, guests: 0 };
  }

  /** @param own - the time until the alarm of the class rings, in milliseconds */
  async beRelay(own: number | null): Promise<void> {
    const at = own === null ? null : Date.now() + own;
    this.ctx.storage.kv.put(SHARED, { own: at });
    await this.ctx.storage.setAlarm(Math.min(at ?? Infinity, Date.now() + 1_000));
  }

  /** Relays from the next life on, as if the object had never relayed before. */
  beRelayLater(): void {
    this.ctx.storage.kv.put('isRelay', true);
  }

  getAlarm(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  rang(): number {
    return this.ctx.storage.kv.get<number>('rang') ?? 0;
  }

  override alarm(): void {
    this.ctx.storage.kv.put('rang', this.rang() + 1);
  }

  #match(name: string) {
    return relay<Match>(this, () => this.env.MATCH.getByName(name));
  }
}

export const WokenRelay = lumenizeRpcDO(WokenRelayImpl, {
  reports: events([Type.String()]),
  score: live([Type.String()]),
  beRelay: [Type.Union([Type.Number(), Type.Null()])],
  beRelayLater: [],
  getAlarm: read(),
  rang: read(),
});
export type WokenRelay = InstanceType<typeof WokenRelay>;
