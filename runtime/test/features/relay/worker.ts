/** The worker under test: a room, relays of it, and relays of relays. The name of a relay begins with that of its origin. */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { relay, type RelayedFeed } from '../../../src/relay.ts';
import {
  connectedCallers,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  RpcError,
} from '../../../src/server.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  RELAY: DurableObjectNamespace<RoomRelay>;
}

/** What subscribers without a cursor begin with, or what was said. */
export type Said = { all: unknown[] } | { said: unknown };

class RoomImpl extends DurableObject<Bindings> {
  talk(): Feed<Said> {
    return feed(this, 'talk', { keep: 50, snapshot: () => ({ all: this.all() }) });
  }

  /** Subscribers without a cursor begin with the next number. */
  numbers(): Feed<number> {
    return feed(this, 'numbers', { keep: 10, window: 4 });
  }

  all(): unknown[] {
    return this.ctx.storage.kv.get<unknown[]>('all') ?? [];
  }

  say(all: unknown[]): void {
    this.ctx.storage.kv.put('all', [...this.all(), ...all]);
    this.talk().append(...all.map((said) => ({ said })));
  }

  count(numbers: number[]): void {
    this.numbers().append(...numbers);
  }

  topic(): string {
    if (this.ctx.storage.kv.get('isSecret')) throw new RpcError('FORBIDDEN', 'No topic for you');
    return this.ctx.storage.kv.get<string>('topic') ?? '';
  }

  setTopic(topic: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  keepSecret(isSecret: boolean): void {
    this.ctx.storage.kv.put('isSecret', isSecret);
  }

  /** Whom the router, or a relay, has named. */
  connected(): unknown[] {
    return connectedCallers(this);
  }

  whoAmI(): unknown {
    return currentCaller();
  }

  /** Loses everything, as a storage does that is restored to an earlier time. */
  forget(): void {
    for (const [key] of Array.from(this.ctx.storage.kv.list())) this.ctx.storage.kv.delete(key);
  }

  stop(): void {
    this.ctx.abort('stopped by the test');
  }
}

export const Room = lumenizeRpcDO(RoomImpl, {
  talk: events(),
  numbers: events(),
  all: read(),
  say: [Type.Array(Type.Unknown())],
  count: [Type.Array(Type.Number())],
  topic: live(),
  setTopic: [Type.String()],
  keepSecret: [Type.Boolean()],
  connected: live(),
  whoAmI: read(),
  forget: [],
  stop: [],
});
export type Room = InstanceType<typeof Room>;

class RoomRelayImpl extends DurableObject<Bindings> {
  readonly #room = relay<Room>(this, () => this.#origin(), {
    keep: 50,
    linger: 200,
    caller: { relay: this.ctx.id.name },
  });
  readonly #talk = this.#room.feed('talk');
  readonly #numbers = this.#room.feed('numbers');
  readonly #topic = this.#room.live('topic');

  talk(): RelayedFeed<Said> {
    return this.#talk;
  }

  numbers(): RelayedFeed<number> {
    return this.#numbers;
  }

  topic(): string {
    return this.#topic.value;
  }

  stop(): void {
    this.ctx.abort('stopped by the test');
  }

  override alarm(): void {}

  alarmAt(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  #origin(): DurableObjectStub {
    const path = this.ctx.id.name?.split('/').slice(0, -1) ?? [];
    const namespace = path.length > 1 ? this.env.RELAY : this.env.ROOM;
    return namespace.getByName(path.join('/')) as DurableObjectStub;
  }
}

export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, {
  talk: events(),
  numbers: events(),
  topic: live(),
  alarmAt: read(),
  stop: [],
});
export type RoomRelay = InstanceType<typeof RoomRelay>;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    // Not by a client, which would call again.
    if (pathname === '/stop') {
      const name = searchParams.get('name') ?? '';
      const namespace = name.includes('/') ? env.RELAY : env.ROOM;
      await namespace
        .getByName(name)
        .stop()
        .catch(() => {});
      return new Response('stopped');
    }
    const response = await routeDORequest(request, env, {
      // Readers of a room that is relayed.
      connectTo: (_, { binding, instance }) =>
        binding === 'ROOM' && instance.startsWith('crowded')
          ? env.RELAY.getByName(`${instance}/0`)
          : undefined,
    });
    return response ?? new Response('Not found', { status: 404 });
  },
};
