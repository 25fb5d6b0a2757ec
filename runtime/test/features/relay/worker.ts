/**
 * The worker under test: a room, relays of it, and objects that copy several rooms. The name of a relay begins with the
 * name of its origin.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { type CopyState, observe, relay, type RelayedFeed } from '../../../src/relay.ts';
import { openConnectionsOf } from '../../../src/server/feature.ts';
import {
  closeClients,
  connectedCallers,
  currentCaller,
  events,
  feed,
  type Feed,
  type FeedPage,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  RpcError,
} from '../../../src/server.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  RELAY: DurableObjectNamespace<RoomRelay>;
  HUB: DurableObjectNamespace<Hub>;
  CROWD: DurableObjectNamespace<Crowd>;
}

/** The snapshot for subscribers without a cursor, or an event with the text that was said. */
export type Said = { all: unknown[] } | { said: unknown };

class RoomImpl extends DurableObject<Bindings> {
  talk(): Feed<Said> {
    return feed(this, 'talk', { keep: 50, snapshot: () => ({ all: this.all() }) });
  }

  /** A feed without a snapshot, so subscribers without a cursor begin with the next number. */
  numbers(): Feed<number> {
    return feed(this, 'numbers', { keep: 10, window: 4 });
  }

  /** A volatile feed of numbers. */
  flying(): Feed<number> {
    return feed(this, 'flying', { keep: 10, volatile: true });
  }

  fly(numbers: number[]): void {
    this.flying().append(...numbers);
  }

  /** Returns a page of three numbers. */
  history(before?: string): FeedPage<number> {
    return this.numbers().read({ before, limit: 3 });
  }

  /** The number of calls of `inbox` since the room was started. */
  #asked = 0;

  /** Returns a feed for each name, which keeps many events. */
  inbox(name: string): Feed<string> {
    this.#asked++;
    if (this.#get('isClosed')) throw new RangeError('closed');
    if (currentCaller<string>() === 'barred') throw new RpcError('FORBIDDEN', 'Not for you');
    return feed(this, `inbox ${name}`, { keep: 5_000 });
  }

  send(name: string, texts: string[]): void {
    feed<string>(this, `inbox ${name}`, { keep: 5_000 }).append(...texts);
  }

  /** Returns the name, the caller and the topic. */
  greeting(name: string): string {
    if (this.#get('isClosed')) throw new RangeError('closed');
    return `${name} ${currentCaller<string>() ?? ''} ${this.topic()}`;
  }

  all(): unknown[] {
    return this.#get<unknown[]>('all') ?? [];
  }

  say(all: unknown[]): void {
    this.ctx.storage.kv.put('all', [...this.all(), ...all]);
    this.talk().append(...all.map((said) => ({ said })));
  }

  count(numbers: number[]): void {
    this.numbers().append(...numbers);
  }

  topic(): string {
    if (this.#get('isSecret')) throw new RpcError('FORBIDDEN', 'No topic for you');
    return this.#get<string>('topic') ?? '';
  }

  cards(): { id: number; text: string }[] {
    return this.#get('cards') ?? [];
  }

  /** @param key - `topic`, `cards`, `isSecret` or `isClosed` */
  set(key: string, value: unknown): void {
    this.ctx.storage.kv.put(key, value);
  }

  /** Returns the callers that the router or a relay has set. */
  connected(): unknown[] {
    return connectedCallers(this);
  }

  /** Returns how many subscriptions the room has. */
  subscriptions(): number {
    return openConnectionsOf(this).reduce((sum, one) => sum + one.subscriptions.size, 0);
  }

  asked(): number {
    return this.#asked;
  }

  whoAmI(): unknown {
    return currentCaller();
  }

  /** Ends the connections of all relays. */
  closeRelays(): number {
    return closeClients(this, (caller) => caller !== undefined);
  }

  /** Deletes the storage, as if it was restored to an earlier time. */
  forget(): void {
    for (const [key] of Array.from(this.ctx.storage.kv.list())) this.ctx.storage.kv.delete(key);
  }

  stop(): void {
    this.ctx.abort('stopped by the test');
  }

  #get<Value>(key: string): Value | undefined {
    return this.ctx.storage.kv.get<Value>(key);
  }
}

export const Room = lumenizeRpcDO(RoomImpl, {
  talk: events(),
  numbers: events(),
  flying: events(),
  fly: [Type.Array(Type.Number())],
  history: read([Type.Optional(Type.String())]),
  inbox: events([Type.String()]),
  send: [Type.String(), Type.Array(Type.String())],
  greeting: live([Type.String()]),
  all: read(),
  say: [Type.Array(Type.Unknown())],
  count: [Type.Array(Type.Number())],
  topic: live(),
  cards: live([], { key: 'id' }),
  set: [Type.String(), Type.Unknown()],
  connected: live(),
  subscriptions: read(),
  asked: read(),
  whoAmI: read(),
  closeRelays: [],
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
  readonly #cards = this.#room.live('cards');

  talk(): RelayedFeed<Said> {
    return this.#talk;
  }

  numbers(): RelayedFeed<number> {
    return this.#numbers;
  }

  /** Returns the history of the origin. */
  history(before?: string): Promise<FeedPage<number>> {
    return this.#origin().history(before);
  }

  topic(): string {
    return this.#topic.value;
  }

  cards(): { id: number; text: string }[] {
    return this.#cards.value;
  }

  stop(): void {
    this.ctx.abort('stopped by the test');
  }

  override alarm(): void {}

  alarmAt(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  #origin(): DurableObjectStub<Room> {
    return this.env.ROOM.getByName(this.ctx.id.name?.split('/')[0] ?? '');
  }
}

export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, {
  talk: events(),
  numbers: events(),
  history: read([Type.Optional(Type.String())]),
  topic: live(),
  cards: live([], { key: 'id' }),
  alarmAt: read(),
  stop: [],
});
export type RoomRelay = InstanceType<typeof RoomRelay>;

/** An object that copies any room, and has an alarm and a feed of its own. */
class HubImpl extends DurableObject<Bindings> {
  /** The feed that `#again` copies, too. */
  readonly #first = this.#room('first').feed('talk');
  readonly #again = this.#room('first').feed('talk');

  talk(name: string): RelayedFeed<Said> {
    if (name === 'first') return this.#first;
    return name === 'again' ? this.#again : this.#room(name).feed('talk');
  }

  inbox(room: string, name: string): RelayedFeed<string> {
    return this.#room(room).feed('inbox', name);
  }

  flying(room: string): RelayedFeed<number> {
    return this.#room(room).feed('flying');
  }

  /** Copies a feed, and keeps two events of it. */
  short(room: string, name: string): RelayedFeed<string> {
    const origin = relay<Room>(this, () => this.env.ROOM.getByName(room), { keep: 2, linger: 200 });
    return origin.feed('inbox', name);
  }

  /** Copies a feed as another caller. */
  inboxAs(caller: string, room: string, name: string): RelayedFeed<string> {
    return this.#room(room, caller).feed('inbox', name);
  }

  topic(room: string): string {
    return this.#room(room).live('topic').value;
  }

  /** Tries to copy a copy of another relay. */
  relayed(relayName: string): RelayedFeed<string> {
    return relay<Hub>(this, () => this.env.HUB.getByName(relayName)).feed('inbox', 'a', 'b');
  }

  /** Copies one room, and after a restart another. */
  inboxOfNow(name: string): RelayedFeed<string> {
    const origin = () => this.env.ROOM.getByName(this.ctx.storage.kv.get<string>('now') ?? 'now a');
    return relay<Room>(this, origin, { linger: 200 }).feed('inbox', name);
  }

  crowded(name: string): RelayedFeed<string> {
    return relay<Crowd>(this, () => this.env.CROWD.getByName(name)).feed('inbox');
  }

  /** Reads ten live values. */
  async greetings(room: string): Promise<string[]> {
    await undefined;
    return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => this.greeting(room, `${number}`));
  }

  topicSize(room: string): number {
    return this.#room(room).live('topic').value.length;
  }

  greeting(room: string, name: string, caller?: string): string {
    return this.#room(room, caller).live('greeting', name).value;
  }

  /** A feed of the class, whose name could be that of a copy. */
  own(): Feed<string> {
    return feed(this, '"talk"');
  }

  append(text: string): void {
    feed<string>(this, '"talk"').append(text);
  }

  copies(): CopyState[] {
    return observe(this);
  }

  followers(): unknown[] {
    return connectedCallers(this);
  }

  setAlarm(after: number): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + after);
  }

  getAlarm(): Promise<number | null> {
    return this.ctx.storage.getAlarm();
  }

  async setAlarmInTransaction(after: number, isRolledBack: boolean): Promise<void> {
    await this.ctx.storage.transaction(async (transaction) => {
      await transaction.setAlarm(Date.now() + after);
      if (isRolledBack) transaction.rollback();
    });
  }

  deleteAlarm(): Promise<void> {
    return this.ctx.storage.deleteAlarm();
  }

  async empty(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  rang(): number {
    return this.ctx.storage.kv.get<number>('rang') ?? 0;
  }

  override async alarm(): Promise<void> {
    if (this.ctx.storage.kv.get('fails')) {
      this.ctx.storage.kv.delete('fails');
      throw new Error('The alarm of the test fails once');
    }
    this.ctx.storage.kv.put('rang', this.rang() + 1);
    // The test sets this value if the alarm has to set the next alarm.
    const next = this.ctx.storage.kv.get<number>('next');
    this.ctx.storage.kv.delete('next');
    if (next !== undefined) await this.ctx.storage.setAlarm(Date.now() + next);
  }

  put(key: string, value: unknown): void {
    this.ctx.storage.kv.put(key, value);
  }

  stop(): void {
    this.ctx.abort('stopped by the test');
  }

  #room(name: string, caller?: string) {
    return relay<Room>(this, () => this.env.ROOM.getByName(name), { linger: 200, caller });
  }
}

const text = Type.String();
export const Hub = lumenizeRpcDO(HubImpl, {
  talk: events([text]),
  inbox: events([text, text]),
  flying: events([text]),
  short: events([text, text]),
  inboxAs: events([text, text, text]),
  topic: live([text]),
  relayed: events([text]),
  inboxOfNow: events([text]),
  crowded: events([text]),
  greetings: read([text]),
  topicSize: read([text]),
  greeting: live([text, text, Type.Optional(text)]),
  own: events(),
  append: [text],
  copies: read(),
  followers: read(),
  setAlarm: [Type.Number()],
  getAlarm: read(),
  setAlarmInTransaction: [Type.Number(), Type.Boolean()],
  deleteAlarm: [],
  empty: [],
  rang: read(),
  put: [text, Type.Unknown()],
  stop: [],
});
export type Hub = InstanceType<typeof Hub>;

/** An object that allows one connection. */
class CrowdImpl extends DurableObject {
  inbox(): Feed<string> {
    return feed(this, 'inbox');
  }
}

export const Crowd = lumenizeRpcDO(CrowdImpl, { inbox: events() }, { limits: { connections: 1 } });
export type Crowd = InstanceType<typeof Crowd>;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    // This is a path and not a method, because a client would send the call of a method again.
    if (pathname === '/stop') {
      const name = searchParams.get('name') ?? '';
      const byRoom = name.includes('/') ? env.RELAY : env.ROOM;
      const namespace = searchParams.has('hub') ? env.HUB : byRoom;
      await namespace
        .getByName(name)
        .stop()
        .catch(() => {});
      return new Response('stopped');
    }
    const response = await routeDORequest(request, env, {
      // Connects readers of a crowded room to its relay.
      connectTo: (_, { binding, instance }) =>
        binding === 'ROOM' && instance.startsWith('crowded')
          ? env.RELAY.getByName(`${instance}/0`)
          : undefined,
    });
    return response ?? new Response('Not found', { status: 404 });
  },
};
