/**
 * A Durable Object that sends updates to its clients: a chat room. It shows a feed that begins with earlier
 * messages, live values, and a presence: who is writing.
 */
import { DurableObject } from 'cloudflare:workers';
import {
  connectedCallers,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  migrate,
  presence,
  type RpcObject,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

/** A row. It is a `type`, because `sql.exec` does not accept an `interface`. */
export type Message = {
  author: string;
  text: string;
};

/** The snapshot has the recent messages. Every other event is a message. */
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

  /** Sends the last hundred messages, and then each new message once and in order, also after a lost connection. */
  messages(): Feed<RoomEvent> {
    return feed(this, 'messages', { snapshot: () => ({ recent: this.#recent(100) }) });
  }

  /** @param guest - the author's name, if the Worker names no caller; anybody can choose any name */
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

  /** Returns the number of clients in the room. Live values are updated when a connection opens or closes. */
  countPresent(): number {
    return connectedCallers(this).length;
  }

  /**
   * Shows the other clients the name of somebody who is writing.
   *
   * @param guest - as in `say`; left out by a client that is not writing
   */
  writing(guest?: string): string | undefined {
    return guest && (currentCaller<Caller>()?.user ?? `${guest} (guest)`);
  }

  #recent(count: number): Message[] {
    return this.ctx.storage.sql
      .exec<Message>(
        'SELECT author, text FROM (SELECT * FROM messages ORDER BY id DESC LIMIT ?) ORDER BY id',
        count,
      )
      .toArray();
  }
}

/** The caller, as a hook of the Worker names it: `withCaller(request, { user })`. */
type Caller = { user: string };

const text = Type.String({ minLength: 1, maxLength: 2000 });
const guest = Type.Optional(Type.String({ minLength: 1, maxLength: 50 }));

export const Room = lumenizeRpcDO(RoomImpl, {
  messages: events(),
  say: [text, guest],
  getTopic: live(),
  setTopic: [Type.String({ maxLength: 100 })],
  countPresent: live(),
  writing: presence([guest]),
});
export type Room = RpcObject<typeof Room>;
