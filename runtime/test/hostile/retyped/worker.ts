/**
 * The Worker under test: an object with each feature of the protocol. It returns the errors that it
 * has reported.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  bytes,
  callback,
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  rows,
  stream,
  streamOf,
  traceCalls,
} from '../../../src/server.ts';

const reported: string[] = [];
console.error = (...what: unknown[]) => void reported.push(what.join(' '));
addEventListener('unhandledrejection', ({ reason }) => reported.push(`unhandled: ${reason}`));

class DeskImpl {
  readonly #object: AllImpl;

  constructor(object: AllImpl, _name: string) {
    this.#object = object;
  }

  echo(value: unknown): unknown {
    return value;
  }

  topic(): number {
    return this.#object.count();
  }
}

const any = Type.Unknown();

const Desk = capability(DeskImpl, [Type.String()], { echo: read([any]), topic: live() });

class AllImpl extends DurableObject {
  readonly #life = crypto.randomUUID();

  one(): number {
    return 1;
  }

  /** Returns a text that differs after each eviction of the object. */
  life(): string {
    return this.#life;
  }

  reported(): string[] {
    return reported;
  }

  echo(value: unknown): unknown {
    return value;
  }

  add(by: number): number {
    const count = this.count() + by;
    this.ctx.storage.kv.put('count', count);
    return count;
  }

  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  async later(): Promise<number> {
    await scheduler.wait(1);
    return 1;
  }

  open(name: string): InstanceType<typeof Desk> {
    return new Desk(this, name);
  }

  pass(desk: InstanceType<typeof Desk>): InstanceType<typeof Desk> {
    return desk;
  }

  ask(question: (value: number) => Promise<number>): Promise<number> {
    return question(50);
  }

  async upload(items: AsyncIterable<string>): Promise<number> {
    let count = 0;
    for await (const item of items) count += item.length > 0 ? 1 : 0;
    return count;
  }

  topic(_of?: unknown): number {
    return 7;
  }

  messages(): Feed<number> {
    return feed(this, 'messages');
  }

  *items(): Iterable<number> {
    for (let item = 0; item < 5; item++) yield item;
  }

  *seats(after = ''): Iterable<{ place: string }> {
    for (const place of ['a', 'b', 'c']) if (place > after) yield { place };
  }
}

export const All = lumenizeRpcDO(
  AllImpl,
  {
    one: read(),
    life: read(),
    reported: read(),
    echo: read([any]),
    add: [Type.Integer()],
    count: read(),
    later: [],
    open: { input: [Type.String()], returns: Desk },
    pass: { input: [Desk], returns: Desk },
    ask: [callback([Type.Number()], Type.Number())],
    upload: [streamOf(Type.String())],
    topic: live([Type.Optional(any)]),
    messages: events(),
    items: stream(),
    seats: rows('place', [Type.Optional(Type.String())]),
  },
  { use: [bytes, traceCalls((_, run) => run({ end: () => {} }))], limits: { refusals: Infinity } },
);
export type All = InstanceType<typeof All>;

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
