/** The Worker under test: an object that is followed through the door for plain HTTP. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { routeHttpRequest } from '../../../src/http.ts';
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
  presence,
  read,
  rows,
  routeDORequest,
  stream,
  withCaller,
} from '../../../src/server.ts';
import { VALUES } from '../values.ts';
import { PLACES } from './places.ts';

/** The number of events that the feeds keep. */
const KEEP = 20_000;
const FEW = 10;

class BoardImpl extends DurableObject<Env> {
  /** The notes of the streams, in this life of the object. */
  readonly #notes: string[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  notes(): string[] {
    return this.#notes;
  }

  // oxlint-disable-next-line durable-object/no-unlisted-method -- called by native RPC
  die(): void {
    this.ctx.abort('It dies');
  }

  /** Returns the callers of the open sockets. */
  followers(): unknown[] {
    return connectedCallers(this).map((caller) => caller ?? null);
  }

  ban(user: string): number {
    return closeClients<{ user: string }>(this, (caller) => caller?.user === user);
  }

  topic(of = 'all'): string {
    if (of === 'broken') throw new RangeError('There is no topic');
    return this.ctx.storage.kv.get<string>(`topic ${of}`) ?? '';
  }

  setTopic(topic: string, of = 'all'): void {
    this.ctx.storage.kv.put(`topic ${of}`, topic);
  }

  /** Returns the words of a topic as rows with keys. */
  words(): { word: string }[] {
    return this.topic()
      .split(' ')
      .map((word) => ({ word }));
  }

  whoami(): unknown {
    return currentCaller() ?? null;
  }

  news(): Feed<unknown> {
    return feed(this, 'news', { keep: KEEP });
  }

  /** Returns a page of three events. */
  history(before?: string): FeedPage<unknown> {
    return this.news().read({ before, limit: 3 });
  }

  /** A feed that keeps few events. */
  brief(): Feed<unknown> {
    return feed(this, 'brief', { keep: FEW });
  }

  /** A feed that begins with a snapshot. */
  tally(): Feed<unknown> {
    return feed(this, 'tally', { keep: FEW, snapshot: () => ({ all: this.said() }) });
  }

  /** A volatile feed. */
  flying(): Feed<unknown> {
    return feed(this, 'flying', { keep: FEW, volatile: true });
  }

  seen(place?: string): { user: unknown; place: string } | undefined {
    const { user = null } = currentCaller<{ user: string }>() ?? {};
    if (user === 'barred') throw new RangeError('Not for you');
    return place === undefined ? undefined : { user, place };
  }

  said(): number {
    return this.ctx.storage.kv.get<number>('said') ?? 0;
  }

  /** Appends events to all feeds. */
  say(count = 1, length = 0): number {
    const before = this.said();
    const more = 'x'.repeat(length);
    const all = Array.from({ length: count }, (_, index) => ({
      n: before + 1 + index,
      ...(more && { more }),
    }));
    this.ctx.storage.kv.put('said', before + count);
    for (const each of [this.news(), this.brief(), this.tally(), this.flying()])
      each.append(...all);
    return before + count;
  }

  /** Appends the value with this name in `values.ts`. */
  sayValue(name: string): void {
    this.news().append(VALUES[name]?.make());
  }

  *count(to: number): Iterable<number> {
    for (let n = 1; n <= to; n++) yield n;
  }

  /** Writes a note, and throws after `failsAfter` items. */
  async *work(name: string, failsAfter?: number): AsyncIterable<string> {
    this.#notes.push(`${name} begins`);
    try {
      for (let n = 1; ; n++) {
        if (failsAfter !== undefined && n > failsAfter) throw new RangeError('No more');
        yield `${name} ${n}`;
        await scheduler.wait(5);
      }
    } finally {
      this.#notes.push(`${name} ends`);
    }
  }

  /** Yields large items one after the other. */
  *pour(): Iterable<string> {
    for (let n = 1; n <= 10_000; n++) {
      // oxlint-disable-next-line durable-object/no-unstored-field -- of this life of the object
      this.#notes[0] = `${n}`;
      yield 'x'.repeat(100_000);
    }
  }

  *seats(after = ''): Iterable<{ place: string }> {
    for (const place of PLACES) if (place > after) yield { place };
  }

  *seatsIn(row: string, after = ''): Iterable<{ place: string }> {
    for (const { place } of this.seats(after)) if (place < row) yield { place };
  }

  value(name: string): unknown {
    return VALUES[name]?.make();
  }

  loop(): unknown {
    const one: Record<string, unknown> = {};
    one['self'] = one;
    return one;
  }

  plain(): number {
    return 1;
  }
}

const Count = Type.Integer({ title: 'count', minimum: 1 });

export const Board = lumenizeRpcDO(BoardImpl, {
  lives: read(),
  notes: read(),
  followers: read(),
  ban: [Type.String()],
  topic: live([Type.Optional(Type.String({ title: 'of' }))]),
  words: live([], { key: 'word' }),
  setTopic: [Type.String(), Type.Optional(Type.String())],
  whoami: live(),
  news: events(),
  history: read([Type.Optional(Type.String({ title: 'before' }))]),
  brief: events(),
  tally: events(),
  flying: events(),
  seen: presence([Type.Optional(Type.String({ title: 'place' }))]),
  said: read(),
  say: [Type.Optional(Count), Type.Optional(Type.Integer())],
  sayValue: [Type.String()],
  count: stream([Count], { readonly: true }),
  work: stream([
    Type.String({ title: 'name' }),
    Type.Optional(Type.Integer({ title: 'failsAfter' })),
  ]),
  pour: stream([], { readonly: true }),
  seats: rows('place', [Type.Optional(Type.String())]),
  seatsIn: rows('place', [Type.String({ title: 'row' }), Type.Optional(Type.String())]),
  value: live([Type.String({ title: 'name' })]),
  loop: live(),
  plain: read(),
});
export type Board = InstanceType<typeof Board>;

/** A class that was not wrapped, with the name of a wrapped class. */
export class Bare extends DurableObject<Env> {}

/** A class that was not wrapped, and responds to requests itself. */
export class Own extends DurableObject<Env> {
  override fetch(): Response {
    return new Response('Mine');
  }
}

/** The number of calls of the hook for each user. */
const asked = new Map<string, number>();
const banned = new Set<string>();

const options = {
  cors: { origin: ['https://friend.example'] },
  onBeforeRequest(request: Request): Request | Response | undefined {
    const user = /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (user === undefined) return undefined;
    asked.set(user, (asked.get(user) ?? 0) + 1);
    if (banned.has(user)) return new Response('Banned', { status: 401 });
    return withCaller(request, { user });
  },
  classes: { BOARD: Board, BARE: Board, OWN: Board },
};

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, action, user = ''] = pathname.split('/');
    if (action === 'asked') return Response.json(asked.get(user) ?? 0);
    if (action === 'die') {
      const { BOARD } = env as { BOARD: DurableObjectNamespace<BoardImpl> };
      const stub = BOARD.getByName(decodeURIComponent(user));
      return Response.json(await Promise.resolve(stub.die()).catch(String));
    }
    if (action === 'ban') return Response.json(Boolean(banned.add(user)));
    const response =
      (await routeHttpRequest(request, env, options)) ??
      (await routeDORequest(request, env, options));
    return response ?? new Response('Not found by any router', { status: 404 });
  },
};
