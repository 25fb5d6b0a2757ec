/** The Worker of the scenario `relays`: a room that counts what it says, and relays of it and of relays. */
import { DurableObject } from 'cloudflare:workers';
import { relay, type RelayedFeed } from '../../runtime/src/relay.ts';
import {
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  type RpcObject,
} from '../../runtime/src/server.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  RELAY: DurableObjectNamespace<RoomRelay>;
}

class RoomImpl extends DurableObject<Bindings> {
  /** Has no snapshot, so that nothing can be passed over. */
  numbers(): Feed<number> {
    return feed(this, 'numbers', { keep: 20_000 });
  }

  say(): void {
    const number = this.said() + 1;
    this.ctx.storage.kv.put('said', number);
    this.numbers().append(number);
  }

  said(): number {
    return this.ctx.storage.kv.get<number>('said') ?? 0;
  }

  stop(): void {
    this.ctx.abort('killed');
  }
}

export const Room = lumenizeRpcDO(RoomImpl, {
  numbers: events(),
  say: [],
  said: live(),
  stop: read(),
});
export type Room = RpcObject<typeof Room>;

class RoomRelayImpl extends DurableObject<Bindings> {
  readonly #room = relay<Room>(this, () => this.#origin(), { keep: 20_000 });
  readonly #numbers = this.#room.feed('numbers');
  readonly #said = this.#room.live('said');

  numbers(): RelayedFeed<number> {
    return this.#numbers;
  }

  said(): number {
    return this.#said.value;
  }

  stop(): void {
    this.ctx.abort('killed');
  }

  /** The name of a relay begins with that of its origin. */
  #origin(): DurableObjectStub<Room | RoomRelay> {
    const { name = '' } = this.ctx.id;
    const origin = name.slice(0, name.lastIndexOf('/'));
    return origin.includes('/')
      ? this.env.RELAY.getByName(origin)
      : this.env.ROOM.getByName(origin);
  }
}

export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, {
  numbers: events(),
  said: live(),
  stop: read(),
});
export type RoomRelay = RpcObject<typeof RoomRelay>;

/** Stops the object that it names: not by a client, which would call again. */
const STOP_ROUTE = '/stop/';

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(STOP_ROUTE)) {
      const name = pathname.slice(STOP_ROUTE.length);
      const namespace = name.includes('/') ? env.RELAY : env.ROOM;
      await namespace
        .getByName(name)
        .stop()
        .catch(() => {});
      return new Response('stopped');
    }
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
