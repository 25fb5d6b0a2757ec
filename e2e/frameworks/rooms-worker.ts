/**
 * The Worker behind the pages of the tests of frameworks: rooms with a topic, messages, guests, cursors and reactions, and
 * the template's counters.
 */
import { DurableObject } from 'cloudflare:workers';
import {
  connectedCallers,
  events,
  feed,
  type Feed,
  type FeedPage,
  live,
  lumenizeRpcDO,
  presence,
  read,
  routeDORequest,
  withCaller,
} from '../../runtime/src/server.ts';
import * as Type from '../../runtime/src/typebox.ts';

class RoomImpl extends DurableObject {
  readonly #held = new Map<string, () => void>();

  topic(): string {
    return this.ctx.storage.kv.get<string>('topic') ?? 'none';
  }

  setTopic(topic: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  /** Returns the users of the connections, from their subprotocols. */
  guests(): string[] {
    return connectedCallers<{ user: string }>(this).map((caller) => caller?.user ?? 'nobody');
  }

  /** Returns the data that a guest shows in its presence. */
  cursors(at?: string): string | undefined {
    if (at === 'nowhere') throw new RangeError('There is no such place');
    return at;
  }

  reactions(): Feed<string> {
    return feed(this, 'reactions', { volatile: true, keep: 10 });
  }

  react(text: string): void {
    this.reactions().append(text);
  }

  /** Discards the object and its memory. */
  // oxlint-disable-next-line durable-object/no-unlisted-method -- called by native RPC
  stop(): void {
    this.ctx.abort('stopped by the test');
  }

  messages(): Feed<string> {
    return feed(this, 'messages');
  }

  /** Returns a page of three messages. It fails in a room whose topic is `closed`. */
  history(before?: string): FeedPage<string> {
    if (this.topic() === 'closed') throw new RangeError('The room is closed');
    return this.messages().read({ before, limit: 3 });
  }

  latest(): { text: string; cursor: string } {
    const text = this.ctx.storage.kv.get<string>('latest') ?? 'nothing';
    return { text, cursor: this.messages().cursor };
  }

  say(text: string): void {
    this.ctx.storage.kv.put('latest', text);
    this.messages().append(text);
  }

  /** Answers when `release` is called with the same name. */
  async hold(name: string): Promise<string> {
    await new Promise<void>((resolve) => this.#held.set(name, resolve));
    return `${name} was released`;
  }

  /** Returns true if a call of `hold` waited. */
  release(name: string): boolean {
    this.#held.get(name)?.();
    return this.#held.delete(name);
  }
}

const name = Type.String({ maxLength: 100 });

export const Room = lumenizeRpcDO(RoomImpl, {
  topic: live(),
  setTopic: [name],
  guests: live(),
  cursors: presence([Type.Optional(name)]),
  reactions: events(),
  react: [name],
  messages: events(),
  history: read([Type.Optional(Type.String({ maxLength: 50 }))]),
  latest: read(),
  say: [name],
  hold: [name],
  release: [name],
});
export type Room = InstanceType<typeof Room>;

export { Counter } from '../../template/src/counter.ts';

/** The page at every other address, to which the tests add a script. */
const HTML =
  '<!doctype html><title>Rooms</title><link rel="icon" href="data:," /><div id="root"></div>';

interface Env {
  ROOM: DurableObjectNamespace<RoomImpl>;
  COUNTER: DurableObjectNamespace;
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/stop') {
      const room = env.ROOM.getByName(searchParams.get('name') ?? '');
      return Response.json(await Promise.resolve(room.stop()).catch(String));
    }
    const identify = (upgrade: Request): Request => {
      const offered = upgrade.headers.get('sec-websocket-protocol') ?? '';
      const [, user = 'nobody'] = /user\.(\w+)/.exec(offered) ?? [];
      return withCaller(upgrade, { user });
    };
    const options = {
      bindings: ['ROOM', 'COUNTER'],
      onBeforeConnect: identify,
      onBeforeRequest: identify,
    } as const;
    const page = new Response(HTML, { headers: { 'Content-Type': 'text/html' } });
    return (await routeDORequest(request, env, options)) ?? page;
  },
} satisfies ExportedHandler<Env>;
