/**
 * The Worker of the scenario `relays`: rooms that publish numbers, and relays that copy two rooms each. A room can refuse
 * subscriptions, lose its storage, and go back to an earlier state. The relays have alarms of their own.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../runtime/src/typebox.ts';
import { relay, type RelayedFeed } from '../../runtime/src/relay.ts';
import {
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  RpcError,
  type RpcObject,
} from '../../runtime/src/server.ts';

interface Bindings {
  ROOM: DurableObjectNamespace<Room>;
  RELAY: DurableObjectNamespace<RoomRelay>;
}

/** The topics of a room, which all publish the same numbers. */
const TOPICS = ['tea', 'coffee'];

/** A number of a topic. After the room has lost numbers, later numbers belong to its next life. */
export interface Said {
  of: string;
  life: number;
  number: number;
  /** True if the number replaces all earlier numbers. */
  isSnapshot?: true;
}

/** The milliseconds from one alarm of a relay to the next. */
const ALARM_EVERY = 1_500;

class RoomImpl extends DurableObject<Bindings> {
  numbers(topic: string): Feed<Said> {
    if (Date.now() < this.#get('refusedUntil')) throw new RpcError('FORBIDDEN', 'Refused for now');
    return this.#feed(topic);
  }

  say(count: number): void {
    for (let said = 0; said < count; said++) {
      this.ctx.storage.kv.put('said', this.#get('said') + 1);
      for (const topic of TOPICS) this.#feed(topic).append(this.#last(topic));
    }
  }

  /** Returns the position that the next number follows. */
  said(): [life: number, number: number] {
    return [this.#get('life'), this.#get('said')];
  }

  refuse(milliseconds: number): void {
    this.ctx.storage.kv.put('refusedUntil', Date.now() + milliseconds);
  }

  /** Remembers the state, for `restore`. */
  remember(): void {
    const all = Array.from(this.ctx.storage.kv.list()).filter(([key]) => isState(key));
    this.ctx.storage.kv.delete('remembered');
    for (const [index, entry] of all.entries()) this.ctx.storage.kv.put(`before:${index}`, entry);
    this.ctx.storage.kv.put('remembered', all.length);
  }

  /** Goes back to the remembered state, or to an empty state. */
  restore(isEmptied: boolean): void {
    const life = this.#get('life') + 1;
    const { kv } = this.ctx.storage;
    for (const [key] of Array.from(kv.list())) if (isState(key)) kv.delete(key);
    const count = isEmptied ? 0 : this.#get('remembered');
    for (let index = 0; index < count; index++) {
      const [key, value] = kv.get<[string, unknown]>(`before:${index}`) ?? [];
      if (key !== undefined) kv.put(key, value);
    }
    kv.put('life', life);
    // An empty feed has the same position in each life.
    if (isEmptied) this.say(1);
  }

  stop(): void {
    this.ctx.abort('killed');
  }

  #feed(topic: string): Feed<Said> {
    const snapshot = (): Said => ({ ...this.#last(topic), isSnapshot: true });
    return feed(this, topic, { keep: 20_000, snapshot });
  }

  #last(topic: string): Said {
    const [life, number] = this.said();
    return { of: `${this.ctx.id.name} ${topic}`, life, number };
  }

  #get(key: string): number {
    return this.ctx.storage.kv.get<number>(key) ?? 0;
  }
}

/** Returns true for a key of the state that goes back. */
function isState(key: string): boolean {
  return key === 'said' || key.startsWith('__rpc_feed:');
}

export const Room = lumenizeRpcDO(RoomImpl, {
  numbers: events([Type.String()]),
  say: [Type.Integer()],
  said: live(),
  refuse: [Type.Number()],
  remember: [],
  restore: [Type.Boolean()],
  stop: read(),
});
export type Room = RpcObject<typeof Room>;

class RoomRelayImpl extends DurableObject<Bindings> {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    if (!this.#get('dueAt')) this.#setAlarm();
  }

  numbers(room: string, topic: string): RelayedFeed<Said> {
    return this.#room(room).feed('numbers', topic);
  }

  said(room: string): [life: number, number: number] {
    return this.#room(room).live('said').value;
  }

  /** Returns the numbers of alarms that have rung, and of alarms that rang before their time. */
  alarms(): [rung: number, early: number] {
    return [this.#get('rung'), this.#get('early')];
  }

  override alarm(): void {
    if (Date.now() < this.#get('dueAt')) this.ctx.storage.kv.put('early', this.#get('early') + 1);
    this.ctx.storage.kv.put('rung', this.#get('rung') + 1);
    this.#setAlarm();
  }

  stop(): void {
    this.ctx.abort('killed');
  }

  #setAlarm(): void {
    const at = Date.now() + ALARM_EVERY;
    this.ctx.storage.kv.put('dueAt', at);
    void this.ctx.storage.setAlarm(at);
  }

  #get(key: string): number {
    return this.ctx.storage.kv.get<number>(key) ?? 0;
  }

  #room(name: string) {
    return relay<Room>(this, () => this.env.ROOM.getByName(name), { keep: 2_000 });
  }
}

const text = Type.String();
export const RoomRelay = lumenizeRpcDO(RoomRelayImpl, {
  numbers: events([text, text]),
  said: live([text]),
  alarms: read(),
  stop: read(),
});
export type RoomRelay = RpcObject<typeof RoomRelay>;

/** Stops an object. It is called without a client, which would call again. */
const STOP_ROUTE = '/stop/';

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(STOP_ROUTE)) {
      const name = decodeURIComponent(pathname.slice(STOP_ROUTE.length));
      const namespace = name.startsWith('relay') ? env.RELAY : env.ROOM;
      await namespace
        .getByName(name)
        .stop()
        .catch(() => {});
      return new Response('stopped');
    }
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
