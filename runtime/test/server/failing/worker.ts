/**
 * The Worker under test: an object whose constructor, `blockConcurrencyWhile` or storage fails when
 * a test says so. The faults are in the memory of the Worker, because the object and its storage
 * fail.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { events, feed, type Feed, live, lumenizeRpcDO, read } from '../../../src/server.ts';
import { route } from '../../served/routed.ts';

/** The parts that fail, and how often; `Infinity` means always. */
export interface Faults {
  /** The number of constructors that throw. */
  constructors: number;
  /** The number of constructors whose `blockConcurrencyWhile` throws after an `await`. */
  blocks: number;
  /** True if each write to the storage throws, as in a full storage. */
  isFull: boolean;
  /** The number of runs of a method that changes something outside of the object. */
  runs: number;
}

const faultsOfObjects = new Map<string, Faults>();

function faultsOf(id: DurableObjectId): Faults {
  let faults = faultsOfObjects.get(String(id));
  if (!faults) {
    faults = { constructors: 0, blocks: 0, isFull: false, runs: 0 };
    faultsOfObjects.set(String(id), faults);
  }
  return faults;
}

class Subject extends DurableObject<Env> {
  readonly #faults: Faults;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#faults = faultsOf(ctx.id);
    failWhenFull(ctx.storage, this.#faults);
    if (this.#faults.constructors-- > 0) throw new Error('The constructor threw');
    if (this.#faults.blocks-- > 0) {
      void ctx.blockConcurrencyWhile(async () => {
        await scheduler.wait(1);
        throw new Error('The block threw');
      });
    }
    this.#faults.constructors = Math.max(0, this.#faults.constructors);
    this.#faults.blocks = Math.max(0, this.#faults.blocks);
  }

  /** Adds 1. */
  add(): number {
    const count = this.count() + 1;
    this.ctx.storage.kv.put('count', count);
    return count;
  }

  /** Adds 1, and returns the value in a second turn. */
  async addLater(): Promise<number> {
    await scheduler.wait(1);
    return this.add();
  }

  setTopic(topic: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  /** Changes something outside of the object. */
  work(result: string): string {
    this.#faults.runs++;
    return result;
  }

  /** Does the same after an `await`. */
  async workLater(result: string): Promise<string> {
    await scheduler.wait(1);
    return this.work(result);
  }

  /** Adds 1, and then breaks the object. */
  async addAndBreak(): Promise<number> {
    const count = this.add();
    await this.ctx.storage.sync();
    await this.ctx.blockConcurrencyWhile(async () => {
      await scheduler.wait(1);
      throw new Error('The block of a method threw');
    });
    return count;
  }

  /** Makes the storage full within a frame. */
  fill(isFull: boolean): boolean {
    this.#faults.isFull = isFull;
    return isFull;
  }

  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  topic(): string {
    return this.ctx.storage.kv.get<string>('topic') ?? '';
  }

  said(): Feed<string> {
    return feed(this, 'said');
  }

  say(text: string): void {
    this.said().append(text);
  }

  one(): number {
    return 1;
  }
}

/**
 * Replaces the writing methods of a storage by methods that throw as SQLite does when no page is
 * left.
 */
function failWhenFull(storage: DurableObjectStorage, faults: Faults): void {
  const check = (): void => {
    if (faults.isFull) throw new Error('database or disk is full: SQLITE_FULL');
  };
  const { kv, sql } = storage;
  const fullKv = new Proxy(kv, {
    get(_, name) {
      const method = Reflect.get(kv, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === 'put') check();
        return method.apply(kv, args);
      };
    },
  });
  const fullSql = new Proxy(sql, {
    get(_, name) {
      const member = Reflect.get(sql, name) as unknown;
      if (typeof member !== 'function') return member;
      return (statement: string, ...bindings: unknown[]) => {
        if (!/^\s*SELECT/i.test(statement)) check();
        return member.call(sql, statement, ...bindings);
      };
    },
  });
  Object.defineProperty(storage, 'kv', { value: fullKv });
  Object.defineProperty(storage, 'sql', { value: fullSql });
}

const contract = {
  add: [],
  addLater: [],
  setTopic: [Type.String()],
  work: [Type.String()],
  workLater: [Type.String()],
  addAndBreak: [],
  fill: read([Type.Boolean()]),
  count: read(),
  topic: live(),
  said: events(),
  say: [Type.String()],
  one: read(),
} as const;

export const Default = lumenizeRpcDO(Subject, contract);
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(Subject, contract, { hibernate: false });

interface TestEnv extends Record<string, unknown> {
  DEFAULT: DurableObjectNamespace;
}

export default {
  /** `/faults/{binding}/{instance}`: PUT sets the faults, and GET returns the remaining faults. */
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const [, room, binding = '', instance = ''] = new URL(request.url).pathname.split('/');
    if (room !== 'faults') return route(request, env);
    const id = (env[binding] as DurableObjectNamespace).idFromName(decodeURIComponent(instance));
    const faults = faultsOf(id);
    if (request.method === 'PUT') Object.assign(faults, await request.json());
    return Response.json(faults);
  },
};
