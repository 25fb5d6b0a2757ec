/**
 * Code that each rule reports, and code that it accepts, by title. A line that a rule reports ends
 * in `//! <rule>`. Every other line must have no report.
 */

/** The body of a class that extends `DurableObject`. */
const inObject = (body: string): string =>
  `import { DurableObject } from 'cloudflare:workers';\nexport class A extends DurableObject {\n${body}\n}\n`;

const object = (bodies: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(bodies).map(([title, body]) => [title, inObject(body)]));

const METHOD = 'm() { setTimeout(() => {}, 1); } //! no-timer';

/** The forms by which a class is a Durable Object, or looks like one. */
const classes = {
  'the base under another name': `import { DurableObject as D } from 'cloudflare:workers';
    export class A extends D<Env> {
      ${METHOD}
    }`,
  'a namespace import': `import * as cf from 'cloudflare:workers';
    export default class extends cf.DurableObject {
      ${METHOD}
    }`,
  'a base in the same file': `import { DurableObject } from 'cloudflare:workers';
    abstract class Base extends DurableObject {}
    export class A extends Base {
      ${METHOD}
    }`,
  'a mixin over the base': `import { DurableObject } from 'cloudflare:workers';
    import { traced } from './traced.js';
    export class A extends traced(DurableObject) {
      ${METHOD}
    }`,
  'a class expression in a variable': `import { DurableObject } from 'cloudflare:workers';
    export const A = class extends DurableObject {
      ${METHOD}
    };`,
  'implements DurableObject': `export class A implements DurableObject {
      fetch() { return new Response(); }
      ${METHOD}
    }`,
  'a base class of another module, known by its constructor': `import { Base } from './base.ts';
    export class A extends Base {
      constructor(ctx: DurableObjectState, env: Env) { super(ctx, env); }
      ${METHOD}
    }`,
  'plain JavaScript in the old style': `export class A {
      constructor(state, env) { this.storage = state.storage; }
      async fetch() { return new Response(await this.storage.get('a')); } //! no-async-storage
    }`,
  'a class that is passed to lumenizeRpcDO before it extends a known base': `import { lumenizeRpcDO } from './rpc/server.ts';
    import { Base } from './base.ts';
    class Impl extends Base {
      ${METHOD}
    }
    export const A = lumenizeRpcDO(Impl, { m: [] });`,
  'a subclass of a class that lumenizeRpcDO returned': `import { lumenizeRpcDO } from './rpc/server.ts';
    import { Impl } from './impl.ts';
    const Wrapped = lumenizeRpcDO(Impl, {});
    export class A extends Wrapped {
      ${METHOD}
    }`,
  'no Durable Object: another base of the platform': `import { WorkerEntrypoint } from 'cloudflare:workers';
    export class A extends WorkerEntrypoint { m() { setTimeout(() => {}, 1); } }`,
  'no Durable Object: a class that receives the state as a parameter': `export class A {
      constructor(private readonly state: DurableObjectState) {}
      m() { setTimeout(() => {}, 1); }
    }`,
  'no Durable Object: a class and a function beside a Durable Object': `import { DurableObject } from 'cloudflare:workers';
    export class A extends DurableObject { m() { return class { n() { setTimeout(() => {}, 1); } }; } }
    export function later() { setTimeout(() => {}, 1); }`,
  'classes that extend each other, as half-written code may': `import { DurableObject } from 'cloudflare:workers';
    class A extends B { m() { setTimeout(() => {}, 1); } }
    class B extends A {}
    export class C extends C {}
    const D = E;
    const E = D;
    export class F extends D {}
    export class H extends H implements DurableObject { fetch() { return new Response(); } }
    export class G extends DurableObject {
      a = this.b;
      b = this.a;
      static { console.log(this); }
      [Symbol.dispose]() {}
      m(name: 'get', ...keys: string[]) {
        this.ctx.storage[name](...keys);
        this.ctx.storage.kv[name]('key');
        this[name] = new this.x.y();
        const loop = loop;
        return loop;
      }
      n() { this['a']++; } //! no-unstored-field
    }`,
};

const noTimer = object({
  'every timer, also nested timers': `
    m() {
      setInterval(() => {}, 1000); //! no-timer
      globalThis.setTimeout(() => {}, 1000); //! no-timer
      return [1].map(() => setTimeout(() => {}, 1)); //! no-timer
    }
    n() { void scheduler.wait(10).then(() => this.m()); } //! no-timer`,
  'a pause, a deadline, or a step of the event loop within a call': `
    async m(controller: AbortController) {
      await scheduler.wait(10);
      await new Promise((resolve) => setTimeout(resolve, 10));
      await Promise.race([
        fetch('https://example.com'),
        new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 1000)),
      ]);
      setTimeout(() => controller.abort(), 1000);
      setTimeout(() => this.ctx.abort(), 0);
    }`,
  'alarms, deadlines, and functions with the name of a timer': `
    async m(setTimeout: (at: number) => void) {
      setTimeout(1);
      clearTimeout(2);
      this.setTimeout();
      await this.ctx.storage.setAlarm(Date.now() + 1000);
      await fetch('https://example.com', { signal: AbortSignal.timeout(1000) });
    }
    setTimeout() {}`,
  'timers that keep an open connection alive, without hibernation': `
    m(writer: WritableStreamDefaultWriter, server: WebSocket) {
      server.accept();
      setInterval(() => writer.write(new Uint8Array()), 15_000);
      setInterval(() => server.send('ping'), 30_000);
      setInterval(() => this.n(), 30_000); //! no-timer
      setTimeout(() => server.send('started'), 3000); //! no-timer
      return new ReadableStream({
        start(controller) { setInterval(() => controller.enqueue(''), 15_000); },
      });
    }
    n() {}`,
  'a ping that ends hibernation': `
    m(server: WebSocket) {
      this.ctx.acceptWebSocket(server);
      setInterval(() => server.send('ping'), 30_000); //! no-timer
    }`,
  'a disable comment': `
    m() {
      // oxlint-disable-next-line durable-object/no-timer -- for the test
      setTimeout(() => {}, 1);
      setTimeout(() => {}, 1); // eslint-disable-line durable-object/no-timer
      setTimeout(() => {}, 1); //! no-timer
    }`,
});

const noAsyncStorage = object({
  'every method that has a synchronous form': `
    async m() {
      await this.ctx.storage.get('a'); //! no-async-storage
      await this.ctx.storage.put({ a: 1 }); //! no-async-storage
      await this.ctx.storage.delete(['a']); //! no-async-storage
      await this.ctx.storage.list(); //! no-async-storage
      await this.ctx.storage.transaction(async (transaction) => { //! no-async-storage
        await transaction.get('a');
      });
      const [a] = await Promise.all([this.ctx.storage.get('a')]); //! no-async-storage
      return this.ctx.storage.get('a').then((value) => value ?? a); //! no-async-storage
    }`,
  'storage under other names': `
    #state: DurableObjectState;
    store = this.ctx.storage;
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#state = ctx;
      ctx.blockConcurrencyWhile(async () => {
        await ctx.storage.get('a'); //! no-async-storage
      });
    }
    get db() { return this.ctx.storage; }
    async m() {
      const { storage } = this.ctx;
      const { ctx: { storage: other } } = this;
      const state = this.#state!;
      await storage.get('a'); //! no-async-storage
      await other?.get('a'); //! no-async-storage
      await (state.storage as DurableObjectStorage).get('a'); //! no-async-storage
      await this.store.get('a'); //! no-async-storage
      await this.db.get('a'); //! no-async-storage
      await this.n(this.ctx.storage);
    }
    async n(given: DurableObjectStorage) { await given.get('a'); } //! no-async-storage`,
  'methods that are synchronous or have no synchronous form, and other storage': `
    cache = new Map<string, string>();
    async m(storage: Map<string, string>) {
      this.ctx.storage.kv.get('a');
      this.ctx.storage.kv.put('a', 1);
      this.ctx.storage.sql.exec('SELECT 1');
      this.ctx.storage.transactionSync(() => {});
      await this.ctx.storage.getAlarm();
      await this.ctx.storage.deleteAll();
      await this.ctx.storage.sync();
      await this.env.KV.get('a');
      await this.env.STATE.storage.get('a');
      return storage.get('a') ?? this.cache.get('a');
    }`,
});

const noIdleAsync = object({
  'asynchronous methods that wait for nothing': `
    async a() { return 1; } //! no-idle-async
    async b(): Promise<number> { return this.ctx.storage.kv.get<number>('b') ?? 0; } //! no-idle-async
    async c() { this.ctx.storage.kv.put('c', 1); } //! no-idle-async
    async d() { const rows = this.ctx.storage.sql.exec('SELECT 1').toArray(); return rows.map((r) => r.x); } //! no-idle-async
    async e() { return await this.ctx.storage.sql.exec('SELECT 1').one(); } //! no-idle-async
    async f() { [1].map(async (x) => { await fetch(String(x)); }); } //! no-idle-async
    async g() { return { at: Date.now(), text: JSON.stringify({}) }; } //! no-idle-async
    async #h() { this.n(); } //! no-idle-async
    i = async () => 1; //! no-idle-async
    async j() { return this.k(); } //! no-idle-async
    k(): number { return 1; }
    n() {}`,
  'methods that wait, or return a value that may be a promise': `
    loading: Promise<void> | undefined;
    async a() { await fetch('https://example.com'); }
    async b() { return fetch('https://example.com'); }
    async c() { return this.a(); }
    async d(flag: boolean) { return flag ? this.a() : null; }
    async e() { const answer = fetch('https://example.com'); return answer; }
    async f() { for await (const part of this.g()) console.log(part); }
    async *g() { yield 1; }
    async h() { return new Promise((resolve) => resolve(1)); }
    async i() { await using file = this.env.FILE; return file.name; }
    async j() { return Promise.all([1, 2]); }
    async k() { return this.loading; }
    l = async () => fetch('https://example.com');
    async m() { return import('./other.ts'); }
    async n() { return (this.loading ??= this.a()); }`,
  'handlers that the platform awaits, methods to override, and static methods': `
    async fetch() { return new Response(); }
    async alarm() { this.ctx.storage.kv.delete('a'); }
    async webSocketMessage() { this.ctx.storage.kv.delete('a'); }
    async webSocketClose() { this.ctx.storage.kv.delete('a'); }
    async onStart() {}
    async onFailure(_error: unknown) { console.error('override this'); }
    async notify(text: string) { console.log(text); console.log('to do'); }
    static async make() { return 1; }`,
});

const idleAsyncElsewhere = {
  'a base class of another module, or an interface, may require promises': `import { DurableObject } from 'cloudflare:workers';
    import { Base } from './base.ts';
    export class A extends Base {
      constructor(ctx: DurableObjectState, env: Env) { super(ctx, env); }
      async m() { return 1; }
    }
    export class B extends DurableObject implements Store {
      async m() { return 1; }
    }`,
};

const noUnstoredField = object({
  'fields that exist only in memory': `
    count = 0;
    #items: string[] = [];
    seen = new Set<string>();
    byName: Record<string, number> = {};
    last?: string;
    increment() { return ++this.count; } //! no-unstored-field
    add(item: string) {
      this.#items.push(item); //! no-unstored-field
      this.seen.add(item); //! no-unstored-field
      this.byName[item] = 1; //! no-unstored-field
      this.last = item; //! no-unstored-field
      this.last = item;
    }
`,
  'emptying a field, and adding to its initial values': `
    first = ['a', 'b'];
    second = ['a', 'b'];
    third = new Map([['a', 1]]);
    a(at: number) { return this.first.splice(at, 1); }
    b() { this.first.splice(0); this.first.pop(); this.first = []; }
    c(at: number) { this.second.splice(at, 0, 'c'); } //! no-unstored-field
    d() { this.third.delete('a'); this.third.clear(); }`,
  'an alarm does not store the data that it needs': `
    pending: string[] = [];
    async add(text: string) {
      this.pending.push(text); //! no-unstored-field
      await this.ctx.storage.setAlarm(Date.now() + 1000);
    }
    override alarm() { this.pending = []; }`,
  'storing one field does not store another': `
    seq = 0;
    buffer: string[] = [];
    enqueue(text: string) {
      this.seq++;
      this.ctx.storage.kv.put('seq', this.seq);
      this.buffer.push(text); //! no-unstored-field
    }
    clear() {
      this.seq = 0;
      this.buffer = [];
      this.ctx.storage.kv.put('seq', 0);
    }`,
  'storage that is used beside a field does not store the field': `
    count = 0;
    names: string[] = [];
    seen: string[] = [];
    marks = new Set<string>();
    async first() {
      this.count++; //! no-unstored-field
      const stub = this.env.OTHER.get(this.env.OTHER.idFromName('a'));
      await stub.ping();
    }
    second(name: string) {
      this.names.push(name); //! no-unstored-field
      queueMicrotask(this.first.bind(this));
      console.log(this);
    }
    third(seen: string) {
      this.seen.push(seen); //! no-unstored-field
      this.ctx.storage.kv.put('last', Date.now());
      this.ctx.storage.sql.exec('SELECT 1').toArray();
    }
    fourth(mark: string) {
      const stored = this.ctx.storage.kv.get(mark);
      this.marks.add(mark); //! no-unstored-field
      return stored;
    }`,
  'each way to fill a field, and ways to empty it': `
    list: string[] = [];
    other: string[] = [];
    third: string[] = [];
    names = new Set<string>();
    ages = new Map<string, number>();
    byId: Record<string, number> = {};
    more: Record<string, number> = {};
    hits = 0;
    a(text: string) { this.list.push(text); } //! no-unstored-field
    b(text: string) { this.other.unshift(text); } //! no-unstored-field
    c(text: string) { this.third.splice(0, 0, text); } //! no-unstored-field
    d(text: string) { this.names.add(text); } //! no-unstored-field
    e(text: string) { this.ages.set(text, 1); } //! no-unstored-field
    f(text: string) { this.byId[text] = 1; } //! no-unstored-field
    g(more: object) { Object.assign(this.more, more); } //! no-unstored-field
    h() { this.hits++; } //! no-unstored-field
    read() { return [this.list, this.other, this.third, this.names, this.ages, this.byId, this.more, this.hits]; }
    empty() {
      this.list.splice(0, 1);
      this.other.pop();
      this.names.delete('a');
      this.ages.clear();
      this.hits = 0;
    }`,
  'methods that the platform or a framework calls first': `
    a: string[] = [];
    b: string[] = [];
    c: string[] = [];
    d: string[] = [];
    onStart(text: string) { this.a.push(text); }
    onInit(text: string) { this.b.push(text); }
    onLoad(text: string) { this.c.push(text); }
    onJoin(text: string) { this.d.push(text); } //! no-unstored-field
    read() { return [this.a, this.b, this.c, this.d]; }`,
  'fields whose names say that they can exist only in memory': `
    a = new Map<string, unknown>();
    b = new Map<string, unknown>();
    c = new Map<string, unknown>();
    d = new Map<string, unknown>();
    e = new Map<string, unknown>();
    f = new Map<string, unknown>();
    m(id: string, reject: unknown, webSocket: unknown, ws: unknown, aborted: unknown, resolve: unknown, other: unknown) {
      this.a.set(id, { reject });
      this.b.set(id, webSocket);
      this.c.set(id, [ws]);
      this.d.set(id, aborted);
      this.e.set(id, { resolve });
      this.f.set(id, other); //! no-unstored-field
    }
    read() { return [this.a, this.b, this.c, this.d, this.e, this.f]; }`,
  'callbacks that run at once, or after the constructor': `
    a0 = 0; a1 = 0; a2 = 0; a3 = 0; a4 = 0; a5 = 0; a6 = 0; a7 = 0; a8 = 0; a9 = 0; a10 = 0; a11 = 0; a12 = 0; a13 = 0; a14 = 0; a15 = 0; a16 = 0; a17 = 0; b = 0;
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      ctx.blockConcurrencyWhile(async () => { this.a0++; });
      ctx.storage.transactionSync(() => { this.a1++; });
      void ctx.storage.transaction(async () => { this.a2++; }); //! no-async-storage
      [1].forEach(() => this.a3++);
      [1].map(() => this.a4++);
      [1].flatMap(() => this.a5++);
      [1].filter(() => this.a6++);
      [1].find(() => this.a7++);
      [1].some(() => this.a8++);
      [1].every(() => this.a9++);
      [1].reduce(() => this.a10++);
      [1].sort(() => this.a11++);
      Array.from([1], () => this.a12++);
      queueMicrotask(() => { this.a13++; });
      void new Promise(() => { this.a14++; });
      void fetch('https://a.example').then(() => { this.a15++; });
      void fetch('https://a.example').catch(() => { this.a16++; });
      void fetch('https://a.example').finally(() => { this.a17++; });
      addEventListener('hit', () => { this.b++; }); //! no-unstored-field
    }
    read() { return [this.a0, this.a1, this.a2, this.a3, this.a4, this.a5, this.a6, this.a7, this.a8, this.a9, this.a10, this.a11, this.a12, this.a13, this.a14, this.a15, this.a16, this.a17, this.b]; }`,
  'routes, listeners and callbacks that the constructor registers': `
    app = new Hono().get('/hits', () => this.hit());
    hits = 0;
    posts = 0;
    joined: string[] = [];
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.posts = 0;
      this.app.post('/', () => {
        this.posts++; //! no-unstored-field
      });
      this.app.post('/join', this.join);
    }
    hit() { this.hits++; } //! no-unstored-field
    join = (name: string) => { this.joined.push(name); }; //! no-unstored-field`,
  'a field that is reached by another name of `this`': `
    list: string[] = [];
    add(text: string) {
      const self = this;
      self.list.push(text); //! no-unstored-field
    }`,
  'fields that are written through, loaded, or restored': `
    through = 0;
    loaded: number[] = [];
    restored = new Map<WebSocket, string>();
    saved = { a: 1 };
    flushed: string[] = [];
    initial = this.ctx.storage.kv.get<number>('initial') ?? 0;
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      for (const ws of ctx.getWebSockets()) this.restored.set(ws, ws.deserializeAttachment());
      this.setup();
    }
    setup(again = true) {
      this.loaded = this.ctx.storage.kv.get('loaded') ?? [];
      if (again) this.setup(false);
    }
    a() { this.through += 1; this.ctx.storage.kv.put('through', this.through); }
    b() { this.loaded.push(1); this.save(); }
    c(ws: WebSocket) { this.restored.set(ws, ''); }
    d() { this.saved.a = 2; this.save(); }
    e() { this.flushed.push(''); }
    f() { this.initial = 1; this.ctx.storage.kv.put('initial', 1 + this.initial); }
    save() { this.ctx.storage.kv.put('saved', this.saved); this.ctx.storage.kv.put('loaded', this.loaded); }
    override alarm() { this.ctx.storage.kv.put('flushed', this.flushed); }`,
  'fields stored by a library made from storage, another service, or a function that receives the storage': `
    orm = drizzle(this.ctx.storage);
    a = 0;
    b = 0;
    c = 0;
    first(a: number) { this.a = a; this.orm.insert(table).values({ a }).run(); }
    async second(b: number) { this.b = b; await this.env.DB.prepare('INSERT').bind(b).run(); }
    third(c: number) { this.c = c; save(this.ctx.storage, { c }); }`,
  'fields stored by variables, parameters, getters and methods of the class': `
    a = 0;
    b: string[] = [];
    c = 0;
    d: string[] = [];
    e = 0;
    first() { const next = this.a + 1; this.a = next; this.ctx.storage.kv.put('1', next); }
    second(text: string) { this.b.push(text); this.keep(text); }
    keep(row: string) { this.ctx.storage.sql.exec('INSERT INTO t VALUES (?)', row); }
    third() { this.c++; this.ctx?.storage?.kv.put('3', this.snapshot()); }
    snapshot() { return { c: this.c }; }
    get all() { return this.d; }
    fourth(text: string) { this.d.push(text); this.ctx.storage.kv.put('4', this.all); }
    async fifth() { const got = await this.load(); this.e = got + 1; }
    async load() { return (await this.env.KV.get('5')) ?? 0; }`,
  'fields that are created again when missing, and handles on running work': `
    #client?: Client;
    migrated = false;
    cache = new Map<string, string>();
    loading?: Promise<void>;
    controller = new AbortController();
    byRequest = new WeakMap<Request, string>();
    upstream: WebSocket | null = null;
    busy: unknown;
    socket: unknown;
    asked = new Map<string, unknown>();
    listeners = new Set<(text: string) => void>();
    gates = new Map<string, PromiseWithResolvers<void>>();
    readonly limits = { a: 1 };
    a() { return (this.#client ??= new Client()); }
    b() { if (!this.migrated) { this.ctx.storage.sql.exec('CREATE'); this.migrated = true; } }
    c(key: string) { this.cache.set(key, key); }
    d() { this.loading = this.e(); }
    async e() { await fetch('https://example.com'); this.controller = new AbortController(); }
    f(request: Request, ws: WebSocket) { this.byRequest.set(request, ''); this.upstream = ws; }
    i(id: string) { return new Promise((resolve) => this.asked.set(id, { resolve })); }
    j(listener: (text: string) => void) { this.listeners.add(listener); }
    k(name: string) { this.gates.set(name, Promise.withResolvers()); }
    l(socket: unknown) { this.socket = socket; }
    waiting = new Map<string, Waiting>();
    calls = new Map<number, { resolve: (value: unknown) => void }>();
    targets = new Set<RpcStub<Listener>>();
    lists: Record<string, string[]> = {};
    rooms = new Map<string, string[]>();
    isOpen = false;
    current = '';
    lastSent = 0;
    conns = new Map<WebSocket, string>();
    m(id: string) { this.isOpen = true; (this.lists[id] ||= []).push(id); this.lists[id] ??= []; }
    n(id: string) {
      let room = this.rooms.get(id);
      if (!room) {
        room = [];
        this.rooms.set(id, room);
      }
      return room;
    }
    async o(id: string) {
      const { promise, resolve, reject } = Promise.withResolvers();
      this.waiting.set(id, { resolve, reject });
      this.isOpen = false;
      this.lastSent = Date.now();
      await promise;
    }
    p(target: RpcStub<Listener>) { this.targets.add(target.dup()); }
    async q(id: string) {
      this.current = id;
      try { await fetch(id); } finally { this.current = ''; }
    }
    r() {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      this.conns.set(server, '');
      return new Response(null, { status: 101, webSocket: client });
    }
    g() { if (this.busy) return; this.busy = (async () => { await this.e(); })(); }
    h() { return { value: 1, set(value: number) { this.value = value; } }; }`,
});

/** Returns a class with functions in its file. */
const withHelpers = (body: string, helpers: string): string => `${inObject(body)}\n${helpers}`;

const noTimerByPeriod = {
  'a period that is too short for an alarm, and longer or unknown periods': withHelpers(
    `step = 1000 / 60;
    every = 100;
    m(period: number) {
      setInterval(() => this.n(), 33);
      setInterval(() => this.n(), TICK);
      setInterval(() => this.n(), this.step);
      setInterval(() => this.n(), 2 * TICK); //! no-timer
      setInterval(() => this.n(), this.every); //! no-timer
      setInterval(() => this.n(), period); //! no-timer
      setInterval(() => this.n()); //! no-timer
      setTimeout(() => this.n(), 33); //! no-timer
    }
    n() {}`,
    'const TICK = 50;',
  ),
};

const unstoredFieldByHelpers = {
  'a function of the file that fills a field, or stores it': withHelpers(
    `filled: string[] = [];
    kept: string[] = [];
    given = 0;
    a(text: string) { fill(this, text); }
    b(text: string) { this.kept.push(text); keep(this); }
    c() { this.given++; put(this.ctx.storage, this.given); }`,
    `function fill(object: A, text: string) {
      object.filled.push(text); //! no-unstored-field
    }
    function keep(object: A) { object.ctx.storage.kv.put('list', object.kept); }
    const put = (storage: DurableObjectStorage, value: number) => storage.kv.put('n', value);`,
  ),
};

const noLostSocket = object({
  'sockets that stay open in hibernation, in a field that hibernation empties': `
    sockets = new Set<WebSocket>();
    users = new Map();
    sessions = [];
    last: WebSocket | null = null;
    upstream: WebSocket | null = null;
    names = new Map<string, string>();
    connect() { this.upstream = new WebSocket('wss://example.com'); }
    override fetch() {
      const [client, server] = Object.values(new WebSocketPair());
      this.ctx.acceptWebSocket(server);
      this.sockets.add(server); //! no-lost-socket
      this.users.set(crypto.randomUUID(), server); //! no-lost-socket
      this.sessions.push({ socket: server, name: '' }); //! no-lost-socket
      const { name } = server.deserializeAttachment();
      this.names.set(name, this.ctx.storage.kv.get(name) ?? '');
      return new Response(null, { status: 101, webSocket: client });
    }
    override webSocketMessage(ws: WebSocket, text: string) {
      if (text === 'join') this.last = ws; //! no-lost-socket
      for (const socket of [...this.sockets, ...this.users.values(), this.last]) socket?.send(text);
      return this.sessions.find(({ socket }) => socket === ws)?.name;
    }`,
  'sockets in fields that nothing reads': `
    sockets = new Set<WebSocket>();
    byName: Record<string, WebSocket> = {};
    last: WebSocket | undefined;
    override fetch() {
      const [client, server] = Object.values(new WebSocketPair());
      this.ctx.acceptWebSocket(server);
      this.sockets.add(server);
      this.byName['ann'] = server;
      this.last = server;
      return new Response(null, { status: 101, webSocket: client });
    }
    override webSocketClose(ws: WebSocket) { this.sockets.delete(ws); this.sockets?.clear(); }`,
  'the counts of a rate limiter, which may start again': `
    topics = new Map<WebSocket, Set<string>>();
    rateLimits = new Map<WebSocket, number[]>();
    #pingWindow = new WeakMap<WebSocket, { count: number }>();
    override fetch() {
      const [client, server] = Object.values(new WebSocketPair());
      this.ctx.acceptWebSocket(server);
      return new Response(null, { status: 101, webSocket: client });
    }
    override webSocketMessage(ws: WebSocket, text: string) {
      const topics = this.topics.get(ws) ?? new Set();
      if (text === 'ping') {
        const window = this.#pingWindow.get(ws) ?? { count: 0 };
        this.#pingWindow.set(ws, window);
      } else if (this.isAllowed(ws)) this.topics.set(ws, topics.add(text)); //! no-lost-socket
    }
    isAllowed(ws: WebSocket) {
      const times = this.rateLimits.get(ws) ?? [];
      this.rateLimits.set(ws, [...times, Date.now()]);
      return times.length < 10;
    }`,
  'sockets that the constructor lists, or that end with the object': `
    restored = new Map<WebSocket, string>();
    dispose = new Map<WebSocket, () => void>();
    byMessage = new Map<string, WebSocket>();
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      for (const ws of ctx.getWebSockets()) this.restored.set(ws, ws.deserializeAttachment());
      ctx.getWebSockets().forEach((ws) => this.register(ws));
    }
    override webSocketMessage(ws: WebSocket) { this.byMessage.set('1', ws); }
    register(ws: WebSocket) { this.dispose.set(ws, () => ws.close()); }
    override fetch() {
      const [client, server] = Object.values(new WebSocketPair());
      this.ctx.acceptWebSocket(server);
      this.restored.set(server, '');
      this.register(server);
      return new Response(null, { status: 101, webSocket: client });
    }`,
  'sockets without hibernation': `
    sockets = new Set<WebSocket>();
    override fetch() {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      this.sockets.add(server);
      return new Response(null, { status: 101, webSocket: client });
    }`,
});

const lostSocketByHelpers = {
  'sockets that a function of the file accepts': withHelpers(
    `byName = new Map<string, WebSocket>();
    override fetch() { return open(this, 'ann'); }`,
    `function open(object: A, name: string) {
      const pair = new WebSocketPair();
      const [client, server] = Object.values(pair);
      object.ctx.acceptWebSocket(server);
      object.byName.get(name)?.close();
      object.byName.set(name, server); //! no-lost-socket
      return new Response(null, { status: 101, webSocket: client });
    }`,
  ),
};

const noGuessableId = object({
  'ids, keys and tokens': `
    lastId = '';
    m() {
      const id = Date.now(); //! no-guessable-id
      const messageId = \`\${Date.now()}-\${id}\`; //! no-guessable-id
      const session_token = Math.random().toString(36).slice(2); //! no-guessable-id
      const userKey = 'user:' + Date.now(); //! no-guessable-id
      this.ctx.storage.kv.put(\`message:\${Date.now()}\`, { id: String(Math.random()), messageId }); //! no-guessable-id no-guessable-id
      this.lastId = Math.floor(Math.random() * 1e9).toString(); //! no-guessable-id
      this.ctx.storage.kv.put('last', [this.lastId, session_token, userKey]);
    }
    both() { return { id: \`\${Date.now()}-\${Math.random()}-\${Math.random()}\` }; } //! no-guessable-id
    generateId() { return Math.random().toString(36); } //! no-guessable-id
    newToken = () => Date.now().toString(36); //! no-guessable-id`,
  'a time beside a unique part of an id, and a time that is never reached': `
    m(seat: number, sequence: number) {
      const conflictId = \`market-\${seat}-\${Date.now()}\`;
      const messageId = Date.now() + '-' + sequence;
      const sessionId = this.ctx.id?.toString() || \`session-\${Date.now()}\`;
      const otherId = this.ctx.id.name ?? \`session-\${Date.now()}\`; //! no-guessable-id
      const prefixedId = \`\${PREFIX}-\${Date.now()}\`; //! no-guessable-id
      const seatId = \`\${seat}-\${Math.random()}\`; //! no-guessable-id
      return [conflictId, messageId, sessionId, otherId, prefixedId, seatId];
    }`,
  'times, deadlines, buckets, probabilities and choices': `
    m(players: string[], ip: string) {
      const now = Date.now();
      const expiresAt = Date.now() + 60_000;
      const bucketKey = \`\${ip}:\${Math.floor(Date.now() / 60_000)}\`;
      const winnerId = players[Math.floor(Math.random() * players.length)];
      const hostId = Math.random() < 0.5 ? players[0] : players[1];
      const grid = Math.random();
      const paid = Date.now();
      const monkey = { createdAt: Date.now(), x: Math.random() };
      const id = crypto.randomUUID();
      const sortedId = \`\${Date.now()}-\${crypto.randomUUID()}\`;
      this.ctx.storage.kv.put('now', Date.now());
      const idleFor = Date.now() - now;
      return [expiresAt, bucketKey, winnerId, hostId, grid, paid, monkey, id, idleFor, sortedId];
    }
    n(Date: { now(): number }) {
      const id = Date.now();
      return id;
    }`,
});

const calledHelpers = {
  'functions of the file that a class calls': withHelpers(
    `lastId = '';
    a() { this.lastId = makeId(); this.ctx.storage.kv.put('last', this.lastId); later(() => this.a()); }
    async b() { return read(this.ctx.storage); }`,
    `function makeId() { return Math.random().toString(36); } //! no-guessable-id
    const later = (run: () => void) => {
      setTimeout(run, 1000); //! no-timer
    };
    function read(storage: DurableObjectStorage) { return storage.get('a'); } //! no-async-storage
    export function unused() { setTimeout(() => {}, 1000); }
    export class B extends DurableObject { c() { return makeId(); } }`,
  ),
};

const CONTRACT_IMPORTS = `import { DurableObject } from 'cloudflare:workers';
  import { lumenizeRpcDO } from './rpc/server.ts';
  import { entries } from './entries.ts';
  import { Imported } from './imported.ts';`;

const contract = {
  'public methods that no contract lists': `${CONTRACT_IMPORTS}
    class Impl extends DurableObject {
      listed() {}
      unlisted() {} //! no-unlisted-method
      #hidden() {}
      private inner() {}
      protected inherited() {}
      _old() {}
      static make() {}
      get size() { return 1; }
      fetch() { return new Response(); }
      alarm() {}
      webSocketMessage() {}
    }
    export const A = lumenizeRpcDO(Impl, { listed: [] });`,
  'methods that only objects call': `${CONTRACT_IMPORTS}
    import { internal } from './rpc/server.ts';
    class Impl extends DurableObject {
      report(total: number) {}
      other() {} //! no-unlisted-method
    }
    export const A = lumenizeRpcDO(Impl, {
      report: internal([]),
      gone: internal(), //! no-missing-method
    });`,
  'functions in fields, which no client can call, and a frozen contract': `${CONTRACT_IMPORTS}
    class Impl extends DurableObject {
      listed = () => 1;
      unlisted = () => 2;
      private hidden = () => 3;
      value = 4;
    }
    const contract = Object.freeze({
      listed: [], //! no-missing-method
      missing: [], //! no-missing-method
    });
    export const A = lumenizeRpcDO(Impl, contract);`,
  'entries without a method': `${CONTRACT_IMPORTS}
    class Base extends DurableObject { inherited() {} }
    class Impl extends Base {
      here() {}
      field = () => 1;
    }
    const contract = {
      here: [],
      'inherited': { input: [], readonly: true },
      field: [], //! no-missing-method
      missing: [], //! no-missing-method
    } satisfies Record<string, unknown>;
    export const A = lumenizeRpcDO(Impl, contract);`,
  'a class expression in the call': `${CONTRACT_IMPORTS}
    export const A = lumenizeRpcDO(
      class extends DurableObject {
        here() {}
        there() {} //! no-unlisted-method
      },
      {
        here: [],
        gone: [], //! no-missing-method
      },
    );`,
  'methods that a capability of the file calls': `${CONTRACT_IMPORTS}
    import { capability } from './rpc/server.ts';
    class SessionImpl {
      readonly #bank: Impl;
      constructor(bank: Impl) { this.#bank = bank; }
      balance() { return this.#bank.balanceOf('ann'); }
    }
    export const Session = capability(SessionImpl, [], { balance: [] });
    class Impl extends DurableObject {
      login() { return new Session(this); }
      balanceOf(user: string) { return this.unused(user); }
      unused(user: string) {} //! no-unlisted-method
    }
    export const A = lumenizeRpcDO(Impl, { login: [] });`,
  'entries and classes that the file does not show': `${CONTRACT_IMPORTS}
    class Spread extends DurableObject { maybe() {} }
    export const A = lumenizeRpcDO(Spread, { ...entries });
    class Elsewhere extends DurableObject { maybe() {} }
    export const B = lumenizeRpcDO(Elsewhere, entries);
    class Derived extends Imported { here() {} }
    export const C = lumenizeRpcDO(Derived, { here: [], inherited: [] });
    export const D = lumenizeRpcDO(Imported, { anything: [] });
    export class Uncontracted extends DurableObject { maybe() {} }`,
};

const unstoredFieldByVolatileMethods = {
  'fields that a volatile method changes, which may be lost': `${CONTRACT_IMPORTS}
    import { volatile } from './rpc/server.ts';
    class Impl extends DurableObject {
      readonly #cursors = new Map<string, number>();
      #typing: string[] = [];
      #topic = '';
      #title = '';
      move(user: string, at: number) { this.#put(user, at); }
      leave(user: string) { this.#cursors.set(user, 0); }
      type(user: string) { this.#typing.push(user); }
      discuss(topic: string) {
        this.#topic = topic; //! no-unstored-field
      }
      rename(title: string) {
        this.#title = title; //! no-unstored-field
      }
      #put(user: string, at: number) { this.#cursors.set(user, at); }
    }
    const rename = { input: [], volatile: false };
    export const A = lumenizeRpcDO(Impl, {
      move: volatile([]),
      leave: [],
      type: { input: [], volatile: true },
      discuss: [],
      rename,
    });`,
};

const SCHEMA_IMPORTS = `import { DurableObject } from 'cloudflare:workers';
  import * as Type from 'lumenize-rpc/typebox';
  import { lumenizeRpcDO } from './rpc/server.ts';
  class Impl extends DurableObject { m() {} }`;

const unknownKeyword = {
  'keywords that the type does not have': `${SCHEMA_IMPORTS}
    export const A = lumenizeRpcDO(Impl, {
      m: [
        Type.Integer({ min: 1 }), //! no-unknown-keyword
        Type.Optional(Type.String({ 'max': 1 })), //! no-unknown-keyword
        Type.Number({ minLength: 1 }), //! no-unknown-keyword
        Type.Boolean({ minimum: 1 }), //! no-unknown-keyword
        Type.Array(Type.Null(), { minimum: 1 }), //! no-unknown-keyword
        Type.Object({ a: Type.Tuple([Type.BigInt({ least: 1n })], { maximum: 1 }) }, { items: 1 }), //! no-unknown-keyword no-unknown-keyword no-unknown-keyword
        Type.Record(Type.String(), Type.Null(), { minItems: 1 }), //! no-unknown-keyword
        Type.Union([Type.Null({ minimum: 1 })], { min: 1 }), //! no-unknown-keyword no-unknown-keyword
        Type.Any({ min: 1 }), //! no-unknown-keyword
        Type.Unknown({ min: 1 }), //! no-unknown-keyword
        Type.Enum(['a'], { min: 1 }), //! no-unknown-keyword
        Type.Literal('a', { min: 1 }), //! no-unknown-keyword
        Type.Intersect([Type.Object({})], { min: 1 }), //! no-unknown-keyword
        Type.TemplateLiteral('ab', { minimum: 1 }), //! no-unknown-keyword
        Type.TemplateLiteral('ab', { minLength: 1 }),
        Type.Unsafe<string>({ type: 'string', maxLenght: 1 }), //! no-unknown-keyword
      ],
    });`,
  'schemas anywhere in the file': `${SCHEMA_IMPORTS}
    const options = {
      min: 1, //! no-unknown-keyword
    } as const;
    const id = Type.Integer(options);
    const text = (length: number) => Type.String({ maxLenght: length }); //! no-unknown-keyword
    const input = [id, text(3), text(4)];
    const contract = { m: { input, readonly: true } };
    export const A = lumenizeRpcDO(Impl, contract);`,
  'TypeBox imported under any name': `import { DurableObject } from 'cloudflare:workers';
    import { Type as T } from 'typebox'; //! no-type-engine
    import * as Typebox from 'typebox'; //! no-type-engine
    import * as Own from 'lumenize-rpc/typebox';
    import { lumenizeRpcDO } from './rpc/server.ts';
    class Impl extends DurableObject { m() {} }
    export const A = lumenizeRpcDO(Impl, {
      m: [
        T.Integer({ min: 1 }), //! no-unknown-keyword
        Typebox.Integer({ min: 1 }), //! no-unknown-keyword
        Own.Integer({ min: 1 }), //! no-unknown-keyword
      ],
    });`,
  'known keywords, annotations, schemas of other modules, and schemas outside of contracts': `${SCHEMA_IMPORTS}
    import { options } from './options.ts';
    import { Type as Other } from './schemas.ts';
    const elsewhere = Type.Integer({ min: 1 });
    const min = 'minimum';
    export const A = lumenizeRpcDO(Impl, {
      m: [
        Type.Integer({ minimum: 1, title: 'a', 'x-unit': 'm', [min]: 1 }),
        Type.String(options),
        Type.Array(Type.String({ ...options, format: 'email' }), { minItems: 1 }),
        Type.Object({ min: Type.String() }, { additionalProperties: false }),
        Type.Union([Type.Literal('a'), Type.Null()], { minLength: 1 }),
        Type.Imagined({ min: 1 }),
        Other.Integer({ min: 1 }),
      ],
    });
    export { elsewhere };`,
};

const overloads = {
  'overload signatures and abstract methods': `import { DurableObject } from 'cloudflare:workers';
    import { lumenizeRpcDO } from './rpc/server.ts';
    export abstract class A extends DurableObject {
      constructor(ctx: DurableObjectState, env: Env);
      constructor(ctx: DurableObjectState, env: Env, more?: string);
      constructor(ctx: DurableObjectState, env: Env) { super(ctx, env); }
      async get(key: string): Promise<string>;
      async get(key: number): Promise<number>;
      async get(key: string | number) { return key; } //! no-idle-async
      abstract later(): Promise<void>;
      n() { return this.get('a'); } //! no-unlisted-method
    }
    export const B = lumenizeRpcDO(A, { get: [], later: [] });
    function pick(key: string): string;
    function pick(key: string) { return key; }`,
};

const typeEngine = {
  'builders of TypeBox, however they are imported': `
    import * as Type from 'typebox'; //! no-type-engine
    import { Type as T } from 'typebox'; //! no-type-engine
    import Box from 'typebox'; //! no-type-engine
    import { Object, type Static, String as Text } from 'typebox'; //! no-type-engine
    const name = Type.Optional(Type.String());
    type Name = Type.Static<typeof name>;
    export const all = [name, T.Record(T.String(), T.Null()), Box.Partial(Object({ text: Text() }))];
    export type All = Static<(typeof all)[0]> | Name;`,
  'code that needs TypeBox, types, and unknown builders': `
    import type * as Types from 'typebox';
    import { type TSchema } from 'typebox';
    import * as Type from 'typebox';
    import { Index, Object as Own } from 'typebox';
    import * as Passed from 'typebox';
    import { Value } from 'typebox/value';
    export const conditional = Type.Index(Type.Object({ a: Type.Null() }), ['a']);
    export const other = Index(Own({}), []);
    export const check = (schema: TSchema | Types.TObject) => Value.Check(schema, Passed);`,
};

/** Names of methods by which a base class of another module says that it stores its argument. */
const STORING = 'save store persist write flush snapshot sync commit checkpoint setState'.split(
  ' ',
);

const unstoredFieldElsewhere = {
  'a base class of another module whose method stores its argument, by its name': `import { Base } from './base.ts';
    export class A extends Base {
      ${STORING.map((_, index) => `a${index} = 0;`).join(' ')}
      b = 0;
      constructor(ctx: DurableObjectState, env: Env) { super(ctx, env); }
      ${STORING.map((name, index) => `m${index}() { this.a${index}++; this.${name}(this.a${index}); }`).join('\n      ')}
      n() { this.b++; this.show(this.b); } //! no-unstored-field
      read() { return [this.b, ${STORING.map((_, index) => `this.a${index}`).join()}]; }
    }`,
};

const CLIENT_IMPORTS = `import { createRpcClient, withOptions, type RpcClient } from 'lumenize-rpc/client';
  import { useRpcClient } from 'lumenize-rpc/react';`;

const missingAwait = {
  'a promise in JSON, text, storage, lists, calculations and conditions': `${CLIENT_IMPORTS}
    const client = createRpcClient<Board>('BOARD', 'a');
    export async function m(ctx: DurableObjectState, page: HTMLElement, list: unknown[]) {
      Response.json(client.increment()); //! no-missing-await
      Response.json({ count: client.increment(), list: [{ at: client.at() }] }); //! no-missing-await no-missing-await
      JSON.stringify(list.map((id) => client.get(id))); //! no-missing-await
      JSON.stringify(list.map((id) => { return { id, item: client.get(id) }; })); //! no-missing-await
      Response.json(Promise.all([client.a(), client.b()])); //! no-missing-await
      Response.json(Object.fromEntries(list.map((id) => [id, client.get(id)]))); //! no-missing-await
      Response.json(page ? client.get('a') : null); //! no-missing-await
      Response.json({ count: client.get('a') ?? 0 }); //! no-missing-await
      Response.json({ total: client.order().total }); //! no-missing-await
      Response.json(client.get('a').then((item) => item.name)); //! no-missing-await
      Response.json(client?.get('a') as unknown); //! no-missing-await
      new Response(client.text()); //! no-missing-await
      ctx.storage.kv.put('count', client.increment()); //! no-missing-await
      ctx.storage.sql.exec('INSERT INTO t VALUES (?)', client.increment()); //! no-missing-await
      structuredClone({ count: client.increment() }); //! no-missing-await
      page.textContent = client.name(); //! no-missing-await
      page.title = 'Hello ' + client.name(); //! no-missing-await
      page.title = \`Hello \${client.name()}\`; //! no-missing-await
      const twice = 2 * client.count(); //! no-missing-await
      list.length += client.count(); //! no-missing-await
      if (client.isOpen()) list.push(twice); //! no-missing-await
      if (client.count() === 5 || !client.isOpen()) list.pop(); //! no-missing-await no-missing-await
      const copy = { ...client.settings(), all: [...client.list()] }; //! no-missing-await no-missing-await
      for (const item of client.list()) list.push(item, copy); //! no-missing-await
      return Object.keys(client.settings()); //! no-missing-await
    }`,
  'variables and functions that have the promise': `${CLIENT_IMPORTS}
    export function a() {
      using client = createRpcClient<Board>('BOARD', 'a');
      const count = client.increment();
      const body = { count };
      const increment = () => client.increment();
      console.log(\`\${increment()}\`); //! no-missing-await
      return Response.json(body); //! no-missing-await
    }`,
  'each way to make a client or a stub': `${CLIENT_IMPORTS}
    import { createRpcClient as connect } from 'lumenize-rpc/client';
    import * as rpc from 'lumenize-rpc/client';
    const open = (name: string) => createRpcClient<Board>('BOARD', name);
    const boardOf = (env: Env) => env.BOARD.getByName('a');
    let late: RpcClient<Board> | undefined;
    class Holder {
      readonly #client = createRpcClient<Board>('BOARD', 'a');
      text() { return \`\${this.#client.get()}\`; } //! no-missing-await
    }
    export function Topic({ env }: { env: Env }, given: RpcClient<Board>) {
      const board = useRpcClient<Board>('BOARD', 'a');
      const { BOARD } = env;
      const id = env.BOARD.idFromName('a');
      late ??= connect('BOARD', 'a');
      return JSON.stringify([
        board.get(), //! no-missing-await
        withOptions(board, { timeout: 1 }).get(), //! no-missing-await
        open('a').get(), //! no-missing-await
        connect('BOARD', 'a').get(), //! no-missing-await
        rpc.createRpcClient('BOARD', 'a').get(), //! no-missing-await
        late.get(), //! no-missing-await
        given.get(), //! no-missing-await
        boardOf(env).get(), //! no-missing-await
        BOARD.getByName('a').get(), //! no-missing-await
        env.BOARD.get(id).get(), //! no-missing-await
        env.BOARD.get(env.BOARD.newUniqueId()).get(), //! no-missing-await
        Holder,
      ]);
    }`,
  'promises that are awaited, returned, chained, kept or passed to calls': `${CLIENT_IMPORTS}
    const client = createRpcClient<Board>('BOARD', 'a');
    const other = createRpcClient<Board>('BOARD', 'b');
    export async function m(names: string[], page: HTMLElement, env: Env) {
      Response.json(await client.increment());
      Response.json({ all: await Promise.all(names.map((name) => client.get(name))) });
      JSON.stringify(await Promise.all(names.map(async (name) => ({ name, at: await client.at(name) }))));
      const [a, b] = await Promise.all([client.a(), other.a()]);
      const pending = client.increment();
      const both = { a: client.a(), b: client.b() };
      Response.json({ count: await pending, a: await both.a });
      for await (const item of client.list()) names.push(item);
      void client.increment().then((count) => Response.json(count));
      void client.increment().then((count) => { page.textContent = \`\${count}\`; }, console.error);
      await client.put('key', other.get('key'));
      await other.send(client.get('key'));
      console.log(client.get('a'), pending === b, a);
      if (pending) await pending;
      let latest = client.get('a');
      latest = await latest;
      Response.json(latest);
      client.close();
      const stub = env.BOARD.getByName('a');
      return [\`\${stub.id.toString()} \${stub.name}\`, client.increment()];
    }
    export const refresh = () => client.increment();`,
  'values that may not be clients': `${CLIENT_IMPORTS}
    import { board } from './board.ts';
    const createBoard = () => ({ get: () => 1 });
    export function m(repository: Repository, env: Env, client: Client) {
      function useRpcClient() { return createBoard(); }
      const either = env.MOCK ? createRpcClient<Board>('BOARD', 'a') : createBoard();
      const items = new Map([['a', 1]]);
      return JSON.stringify([
        board.get(),
        client.get(),
        either.get(),
        useRpcClient().get(),
        createBoard().get(),
        repository.getByName('a').get(),
        env.CACHE.get('key').name(),
        items.get('a').toFixed(),
      ]);
    }`,
};

const sharedClient = {
  'clients at module scope of a Worker': `${CLIENT_IMPORTS}
    const client = createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
    const options = { baseUrl: 'https://example.com' };
    const clients = {
      a: createRpcClient<Board>('BOARD', 'a', options), //! no-shared-client
      b: withOptions(createRpcClient<Board>('BOARD', 'b', { transport: 'websocket' }), {}), //! no-shared-client
    };
    const open = (name: string) => createRpcClient<Board>('BOARD', name);
    const opened = open('a'); //! no-shared-client
    class Boards { static first = createRpcClient<Board>('BOARD', 'a'); } //! no-shared-client
    let late: RpcClient<Board> | undefined;
    export default {
      async fetch() {
        late ??= createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
        return Response.json(await Promise.all([client, clients.a, opened, late, Boards.first].map((it) => it.get())));
      },
    } satisfies ExportedHandler;`,
  'clients beside a Durable Object': `${CLIENT_IMPORTS}
    import { DurableObject } from 'cloudflare:workers';
    const client = createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
    class Board extends DurableObject { async m() { return client.get(); } }
    export { Board };`,
  'clients beside a class of another module that lumenizeRpcDO wraps': `${CLIENT_IMPORTS}
    import { lumenizeRpcDO } from './rpc/server.ts';
    import { BoardImpl } from './board.ts';
    export const client = createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
    export const Board = lumenizeRpcDO(BoardImpl, {});`,
  'clients beside a wrapped handler': `${CLIENT_IMPORTS}
    import { withSentry } from '@sentry/cloudflare';
    const client = createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
    const handler = { fetch: async () => Response.json(await client.get()) };
    export default withSentry(() => ({}), handler);`,
  'clients beside an app of Hono': `${CLIENT_IMPORTS}
    import { Hono } from 'hono';
    const client = createRpcClient<Board>('BOARD', 'a'); //! no-shared-client
    const app = new Hono();
    app.get('/', async (c) => c.json(await client.get()));
    export default app;`,
  'clients of one request, and transports that requests can share': `${CLIENT_IMPORTS}
    import { bindingTransport } from 'lumenize-rpc/client';
    import { env } from 'cloudflare:workers';
    import { options } from './options.ts';
    const first = createRpcClient<Board>('BOARD', 'a', { transport: 'http' });
    const transport = bindingTransport(() => env.BOARD.getByName('a'));
    const second = createRpcClient<Board>('BOARD', 'a', { transport });
    const third = createRpcClient<Board>('BOARD', 'a', options);
    const fourth = createRpcClient<Board>('BOARD', 'a', { ...options });
    const open = () => createRpcClient<Board>('BOARD', 'a');
    class Boards { client = createRpcClient<Board>('BOARD', 'a'); }
    export default {
      async fetch() {
        using client = createRpcClient<Board>('BOARD', 'a');
        let other;
        other = createRpcClient<Board>('BOARD', 'a');
        await Promise.all([client, first, second, third, fourth, open(), other].map((it) => it.get()));
        return Response.json(await new Boards().client.get());
      },
    };`,
  'a page, or a module of a page': `${CLIENT_IMPORTS}
    export const client = createRpcClient<Board>('BOARD', 'a');
    export async function load() { return fetch('/'); }
    export default { title: 'Board' };`,
};

const lostUpdate = {
  ...object({
    'a stored value that is read before an await, and written after it': `
    async a(request: Request) {
      const count = this.ctx.storage.kv.get<number>('count') ?? 0;
      const { by } = await request.json();
      this.ctx.storage.kv.put('count', count + by); //! no-lost-update
    }
    async b() {
      this.ctx.storage.kv.put('count', (this.ctx.storage.kv.get('count') ?? 0) + (await this.env.OTHER.getByName('b').by())); //! no-lost-update
    }
    async c(id: string) {
      const key = \`user:\${id}\`;
      const user = this.ctx.storage.kv.get<User>(key);
      if (!user) throw new Error('No user');
      const response = await fetch(user.url);
      if (!response.ok) return;
      user.names.push(await response.text());
      this.ctx.storage.kv.put(key, { ...user, ok: true }); //! no-lost-update
    }
    async d(price: number) {
      const { kv } = this.ctx.storage;
      let left = kv.get<number>('left')!;
      left -= price;
      if (left < 0) throw new Error('Not enough');
      try { await this.charge(price); } catch { return; }
      kv.put('left', left); //! no-lost-update
    }
    private charge(price: number) { return fetch('https://example.com', { body: String(price) }); }
    async e() {
      const total = this.total();
      await scheduler.wait(10);
      this.save(total + 1); //! no-lost-update
    }
    private total(): number { return this.ctx.storage.kv.get('total') ?? 0; }
    private save(total: number) { this.ctx.storage.kv.put('total', total); }
    async f(id: string) {
      const row = this.ctx.storage.sql.exec('SELECT * FROM jobs WHERE id = ?', id).one();
      await fetch(row.url);
      this.ctx.storage.sql.exec('UPDATE jobs SET state = ?, attempts = ? WHERE id = ?', 'done', row.attempts + 1, id); //! no-lost-update
    }
    async g(id: string) {
      const { attempts: made } = this.ctx.storage.sql.exec('SELECT attempts FROM jobs WHERE id = ?', id).one();
      await Promise.all([1, 2].map((part) => fetch(String(part))));
      this.ctx.storage.sql.exec('UPDATE jobs SET attempts = ? WHERE id = ?', made + 1, id); //! no-lost-update
    }
    async j(id: string) {
      const { total } = this.ctx.storage.sql.exec('SELECT total FROM sums WHERE id = ?', id).one();
      const { status } = await fetch('https://example.com');
      this.ctx.storage.sql.exec('INSERT OR REPLACE INTO sums (id, total) VALUES (?, ?)', id, total + status); //! no-lost-update
    }
    async k(id: string) {
      const { total } = this.ctx.storage.sql.exec('SELECT total FROM sums WHERE id = ?', id).one();
      const { status } = await fetch('https://example.com');
      this.ctx.storage.sql.exec( //! no-lost-update
        \`INSERT INTO sums (id, total) VALUES (?, ?)
         ON CONFLICT (id) DO UPDATE SET total = excluded.total\`, id, total + status);
    }
    h() {
      const count = this.ctx.storage.kv.get('count') ?? 0;
      return fetch('https://example.com').then(() => this.ctx.storage.kv.put('count', count + 1)); //! no-lost-update
    }
    async i() {
      const count = this.ctx.storage.kv.get('count') ?? 0;
      const answer = await fetch('https://example.com');
      this.ctx.storage.transactionSync(() => {
        this.ctx.storage.kv.put('count', count + answer.status); //! no-lost-update
      });
    }`,
    'a value that is read again, read after the await, or not used': `
    async a(request: Request) {
      const { by } = await request.json();
      const count = this.ctx.storage.kv.get<number>('count') ?? 0;
      this.ctx.storage.kv.put('count', count + by);
    }
    async b() {
      let count = this.ctx.storage.kv.get<number>('count') ?? 0;
      await fetch(String(count));
      count = this.ctx.storage.kv.get<number>('count') ?? 0;
      this.ctx.storage.kv.put('count', count + 1);
    }
    async c() {
      const seen = this.count();
      await fetch(String(seen));
      if (this.count() !== seen) throw new Error('Changed');
      this.ctx.storage.kv.put('count', seen + 1);
    }
    private count(): number { return this.ctx.storage.kv.get('count') ?? 0; }
    async d() {
      const cached = this.ctx.storage.kv.get<Weather>('weather');
      if (cached && cached.until > Date.now()) return cached;
      const response = await fetch('https://example.com');
      const weather = { text: await response.text(), until: Date.now() + 1000 };
      this.ctx.storage.kv.put('weather', weather);
      return weather;
    }
    async e() {
      const cursor = this.ctx.storage.kv.get('cursor');
      const page = await (await fetch(\`https://example.com/\${cursor}\`)).json();
      this.ctx.storage.kv.put('cursor', page.next);
    }
    async f(id: string) {
      const url = this.ctx.storage.kv.get<string>(\`url:\${id}\`);
      await fetch(url);
      this.ctx.storage.kv.put(\`last:\${id}\`, url);
    }
    async g() {
      const job = this.ctx.storage.sql.exec('SELECT id, url FROM jobs WHERE state = 0').one();
      const { status } = await fetch(job.url);
      this.ctx.storage.sql.exec('UPDATE jobs SET state = ?, attempts = attempts + 1 WHERE id = ?', status, job.id);
    }
    async j(id: string, other: string) {
      const { sql } = this.ctx.storage;
      const { total } = sql.exec('SELECT total FROM sums WHERE id = ?', id).one();
      await fetch(String(total));
      sql.exec('INSERT INTO sums (id, total) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET total = total + 1', id, total);
      sql.exec('INSERT OR REPLACE INTO sums (id, total) VALUES (?, ?)', other, total);
      sql.exec('INSERT INTO log (id, total) VALUES (?, ?)', id, total);
    }
    async h(flag: boolean) {
      const count = this.ctx.storage.kv.get('count') ?? 0;
      if (flag) return await fetch('https://example.com');
      if (count > 5) {
        await fetch('https://example.com');
        return;
      } else this.ctx.storage.kv.put('count', count + 1);
    }
    async i() {
      const count = this.ctx.storage.kv.get('count') ?? 0;
      this.ctx.storage.kv.put('count', count + 1);
      await fetch('https://example.com');
    }`,
    'awaits during which no other call runs': `
    async a(text: string) {
      const all = this.ctx.storage.kv.get('all') ?? [];
      await this.ctx.storage.setAlarm(Date.now() + 1000);
      const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      await this.tidy();
      this.ctx.storage.kv.put('all', [...all, hash]);
    }
    private async tidy() { await this.ctx.storage.deleteAlarm(); }`,
    'methods that run alone, or have claimed the value': `
    #running = false;
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      void ctx.blockConcurrencyWhile(() => this.load());
    }
    private async load() {
      const starts = this.ctx.storage.kv.get('starts') ?? 0;
      await fetch('https://example.com');
      this.ctx.storage.kv.put('starts', starts + 1);
    }
    async a() {
      await this.ctx.blockConcurrencyWhile(async () => {
        const count = this.ctx.storage.kv.get('count') ?? 0;
        await fetch('https://example.com');
        this.ctx.storage.kv.put('count', count + 1);
      });
    }
    async b() {
      if (this.#running) return;
      this.#running = true;
      const count = this.ctx.storage.kv.get('count') ?? 0;
      await fetch('https://example.com');
      this.ctx.storage.kv.put('count', count + 1);
      this.#running = false;
    }
    async c(id: string) {
      const job = this.ctx.storage.kv.get<Job>(id)!;
      if (job.state === 'running') throw new Error('Running');
      this.ctx.storage.kv.put(id, { ...job, state: 'running' });
      await fetch(job.url);
      this.ctx.storage.kv.put(id, { ...job, state: 'done' });
    }
    override async alarm() {
      const step = this.ctx.storage.kv.get<number>('step') ?? 0;
      await this.send(step);
      this.ctx.storage.kv.put('step', step + 1);
    }
    private async send(step: number) {
      const sent = this.ctx.storage.kv.get<number>('sent') ?? 0;
      await fetch(String(step));
      this.ctx.storage.kv.put('sent', sent + 1);
    }`,
    'an alarm, beside a method that writes the same value': `
    override async alarm() {
      const items = this.ctx.storage.kv.get<string[]>('items') ?? [];
      await fetch('https://example.com', { method: 'POST', body: items[0]! });
      this.ctx.storage.kv.put('items', items.slice(1)); //! no-lost-update
    }
    add(item: string) {
      this.ctx.storage.kv.put('items', [...(this.ctx.storage.kv.get('items') ?? []), item]);
    }`,
  }),
  'asynchronous storage, a client and a module': `import { DurableObject } from 'cloudflare:workers';
    import { createRpcClient } from 'lumenize-rpc/client';
    import { ask } from './model.ts';
    import { Mutex } from './mutex.ts';
    export class A extends DurableObject {
      #mutex = new Mutex();
      async a() {
        const count = (await this.ctx.storage.get<number>('count')) ?? 0; //! no-async-storage
        using client = createRpcClient<Other>('OTHER', 'a');
        const by = await client.by();
        await this.ctx.storage.put('count', count + by); //! no-async-storage no-lost-update
      }
      async b(text: string) {
        const messages = this.ctx.storage.kv.get<string[]>('messages') ?? [];
        const answer = await ask(messages, text);
        this.ctx.storage.kv.put('messages', [...messages, text, answer]); //! no-lost-update
      }
      async c(text: string) {
        const release = await this.#mutex.acquire();
        const messages = this.ctx.storage.kv.get<string[]>('messages') ?? [];
        const answer = await ask(messages, text);
        this.ctx.storage.kv.put('messages', [...messages, text, answer]);
        release();
      }
    }`,
};

/** Every case, by rule and title. */
export const cases: Record<string, Record<string, string>> = {
  classes,
  overloads,
  'no-timer': { ...noTimer, ...noTimerByPeriod },
  'no-async-storage': noAsyncStorage,
  'no-idle-async': { ...noIdleAsync, ...idleAsyncElsewhere },
  'no-lost-socket': { ...noLostSocket, ...lostSocketByHelpers },
  'no-unstored-field': {
    ...noUnstoredField,
    ...unstoredFieldByHelpers,
    ...unstoredFieldElsewhere,
    ...unstoredFieldByVolatileMethods,
  },
  'no-guessable-id': noGuessableId,
  'no-lost-update': lostUpdate,
  'no-missing-await': missingAwait,
  'no-shared-client': sharedClient,
  helpers: calledHelpers,
  'no-type-engine': typeEngine,
  'no-unknown-keyword': unknownKeyword,
  'no-unlisted-method and no-missing-method': contract,
};
