/**
 * A room and its relays, in two ways: the relay subscribes over a WebSocket, which is `relay`; and the room calls a
 * method of each relay for each event, which can hibernate between two events.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from 'typebox';
import { relay, type RelayedFeed } from '../../../runtime/src/relay.ts';
import {
  events,
  feed,
  type Feed,
  lumenizeRpcDO,
  routeDORequest,
  type RpcObject,
} from '../../../runtime/src/server.ts';
import { PUSHED_RELAYS } from '../../results/names.ts';
import { feedsOf } from '../../../runtime/src/features/feeds/server/feeds.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  RELAY: DurableObjectNamespace<RoomRelay>;
  PUSHED: DurableObjectNamespace<PushedRelay>;
  /** Another runtime with the room, if it is not in this one. */
  PEER?: Fetcher;
}

const contract = { messages: events(), say: [Type.String()] } as const;

class RoomImpl extends DurableObject<Bindings> {
  messages(): Feed<string> {
    return feed(this, 'messages');
  }

  say(text: string): void {
    this.messages().append(text);
  }
}

export const Room = lumenizeRpcDO(RoomImpl, contract);
export type Room = RpcObject<typeof Room>;

/** The name of a relay begins with that of its origin. */
function originOf({ id }: DurableObjectState): string {
  return id.name?.slice(0, id.name.lastIndexOf('/')) ?? '';
}

class RoomRelayImpl extends DurableObject<Bindings> {
  readonly #messages = relay<Room>(this, () => this.#origin()).feed('messages');

  messages(): RelayedFeed<string> {
    return this.#messages;
  }

  #origin(): Pick<Fetcher, 'fetch'> {
    const name = originOf(this.ctx);
    const { PEER, RELAY, ROOM } = this.env;
    if (name.includes('/')) return RELAY.getByName(name);
    if (!PEER) return ROOM.getByName(name);
    return { fetch: (_, init) => PEER.fetch(`http://peer/__rpc/ROOM/${name}/call`, init) };
  }
}

export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, { messages: events() });
export type RoomRelay = RpcObject<typeof RoomRelay>;

class PushingRoomImpl extends RoomImpl {
  override say(text: string): void {
    super.say(text);
    for (let index = 0; index < PUSHED_RELAYS; index++) {
      // As cheap as it can be: nothing is repeated, and nothing says how far the relay is.
      void this.env.PUSHED.getByName(`${this.ctx.id.name}/${index}`).push(text);
    }
  }
}

export const PushingRoom = lumenizeRpcDO(PushingRoomImpl, contract);

class PushedRelayImpl extends DurableObject<Bindings> {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    // In memory, as the copy of a relay is.
    feedsOf(this).keepWith({}, 'messages');
  }

  messages(): Feed<string> {
    return feed(this, 'messages');
  }

  push(text: string): void {
    this.messages().append(text);
  }
}

export const PushedRelay = lumenizeRpcDO(PushedRelayImpl, {
  messages: events(),
  push: [Type.String()],
});
export type PushedRelay = RpcObject<typeof PushedRelay>;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
