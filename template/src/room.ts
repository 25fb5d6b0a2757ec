/**
 * A Durable Object that tells its clients what happens: a chat room. Shows a feed that begins with what
 * was there before, and values that are live. Imports migrate and the RPC runtime.
 */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { migrate } from './migrate.ts';
import { currentCaller, feed, type Feed, lumenizeRpcDO } from './rpc/server.ts';

/** A row, and so a `type`. */
export type Message = {
  author: string;
  text: string;
};

/** What comes first, and from then on each message. */
export type RoomEvent = { recent: Message[] } | Message;

class RoomImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, [
      `CREATE TABLE messages (
        id INTEGER PRIMARY KEY, author TEXT NOT NULL, text TEXT NOT NULL
      ) STRICT`,
    ]);
  }

  /** The last hundred, and then whatever is said: each once and in order, also after a lost connection. */
  messages(): Feed<RoomEvent> {
    return feed(this, 'messages', { snapshot: () => ({ recent: this.#recent(100) }) });
  }

  /** @param guest - a name that anybody can take: only the Worker knows who is calling */
  say(text: string, guest = 'Somebody'): void {
    const author = currentCaller<Caller>()?.user ?? `${guest} (guest)`;
    this.ctx.storage.sql.exec('INSERT INTO messages (author, text) VALUES (?, ?)', author, text);
    this.messages().append({ author, text });
  }

  getTopic(): string {
    return this.ctx.storage.kv.get<string>('topic') ?? '';
  }

  setTopic(topic: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  /** How many are here. A connection that opens or closes has a live value looked at again. */
  countPresent(): number {
    const sockets = this.ctx.getWebSockets();
    // One that has just closed is still among them.
    return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  #recent(count: number): Message[] {
    const { sql } = this.ctx.storage;
    return sql
      .exec<Message>('SELECT author, text FROM messages ORDER BY id DESC LIMIT ?', count)
      .toArray()
      .toReversed();
  }
}

/** What the Worker says of a caller, by `withCaller` in a hook: see "Authenticate callers" in README.md. */
type Caller = { user: string };

export const Room = lumenizeRpcDO(RoomImpl, {
  messages: { input: [], readonly: true },
  say: [
    Type.String({ minLength: 1, maxLength: 2000 }),
    Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  ],
  getTopic: { input: [], readonly: true, live: true },
  setTopic: [Type.String({ maxLength: 100 })],
  countPresent: { input: [], readonly: true, live: true },
});
export type Room = InstanceType<typeof Room>;
