/** A counter that uses each feature, with older contracts that the tests know. */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import {
  callback,
  capability,
  events,
  feed,
  type Feed,
  internal,
  live,
  lumenizeRpcDO,
  presence,
  read,
  rows,
  stream,
  streamOf,
  volatile,
} from '../../src/server.ts';
import * as Type from '../../src/typebox.ts';

class ViewImpl extends RpcTarget {
  readonly #tally: TallyImpl;

  constructor(tally: TallyImpl, _name: string) {
    super();
    this.#tally = tally;
  }

  value(): number {
    return this.#tally.getValue();
  }
}

const View = capability(ViewImpl, [Type.String()], { value: read() });

class TallyImpl extends DurableObject<Env> {
  increment(by = 1): number {
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    this.news().append({ value });
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }

  reset(): void {
    this.ctx.storage.kv.delete('value');
  }

  news(): Feed<{ value: number }> {
    return feed(this, 'news');
  }

  *count(to: number): Generator<number> {
    for (let number = 1; number <= to; number++) yield number;
  }

  *list(after = 0): Generator<{ id: number }> {
    for (let id = after + 1; id <= 3; id++) yield { id };
  }

  here(name?: string): string | undefined {
    return name;
  }

  entries(): { id: number }[] {
    return [{ id: this.getValue() }];
  }

  point(x: number): number {
    return x;
  }

  hidden(): number {
    return 1;
  }

  view(): InstanceType<typeof View> {
    return new View(this, 'Ada');
  }

  async each(report: (value: number) => Promise<void>): Promise<void> {
    await report(this.getValue());
  }

  async addAll(numbers: AsyncIterable<number>): Promise<number> {
    for await (const number of numbers) this.increment(number);
    return this.getValue();
  }
}

export const Tally = lumenizeRpcDO(TallyImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))],
  getValue: live(),
  reset: [],
  news: events([], { output: Type.Object({ value: Type.Integer() }) }),
  count: stream([Type.Integer()]),
  list: rows('id', [Type.Optional(Type.Integer())]),
  here: presence([Type.Optional(Type.String())]),
  entries: live([], { key: 'id' }),
  point: volatile([Type.Integer()]),
  hidden: internal(),
  view: { input: [], returns: View },
  each: [callback([Type.Integer()])],
  addAll: [streamOf(Type.Integer())],
});
export type Tally = InstanceType<typeof Tally>;
