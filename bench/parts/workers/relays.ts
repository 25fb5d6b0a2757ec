/** A room and its relays, which may be in another runtime. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../runtime/src/typebox.ts';
import { relay, type RelayedFeed } from '../../../runtime/src/relay.ts';
import {
  events,
  feed,
  type Feed,
  lumenizeRpcDO,
  routeDORequest,
  type RpcObject,
} from '../../../runtime/src/server.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  /** The runtime with the room, if the room is in another runtime. */
  PEER?: Fetcher;
}

class RoomImpl extends DurableObject<Bindings> {
  messages(): Feed<string> {
    return feed(this, 'messages');
  }

  say(text: string): void {
    this.messages().append(text);
  }
}

export const Room = lumenizeRpcDO(RoomImpl, { messages: events(), say: [Type.String()] });
export type Room = RpcObject<typeof Room>;

class RoomRelayImpl extends DurableObject<Bindings> {
  readonly #messages = relay<Room>(this, () => this.#origin()).feed('messages');

  messages(): RelayedFeed<string> {
    return this.#messages;
  }

  #origin(): Pick<Fetcher, 'fetch'> & { name: string } {
    // The name of a relay begins with the name of its origin.
    const name = this.ctx.id.name?.split('/')[0] ?? '';
    const { PEER, ROOM } = this.env;
    const room = ROOM.getByName(name);
    return {
      name,
      fetch: (url, init) =>
        PEER
          ? PEER.fetch(`http://peer/__rpc/ROOM/${name}/call`, init)
          : room.fetch(url as string, init),
    };
  }
}

export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, { messages: events() });
export type RoomRelay = RpcObject<typeof RoomRelay>;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
