/** Tests the class and the contract that the performance test reads from a wrapped class. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expect, test } from 'vitest';
import { definitionOf } from '../../src/perf/contenders/measured-contract.ts';
import { contenderClasses } from '../../src/perf/contenders/worker.ts';
import { contractOf } from '../../src/server/contract/contract-of.ts';
import {
  capability,
  events,
  live,
  lumenizeRpcDO,
  rows,
  stream,
  streamOf,
} from '../../src/server.ts';

class AccessImpl {
  readonly object: object;
  constructor(object: object) {
    this.object = object;
  }
  use(): void {}
}
const Access = capability(AccessImpl, [], { use: [] });

class ThingsImpl extends DurableObject<object> {
  add(_value: number, _name?: string): number {
    return 1;
  }
  list(): string[] {
    return [];
  }
  value(): number {
    return 1;
  }
  news(): never {
    throw new Error('not called');
  }
  *numbers(): Generator<number> {}
  table(_after?: string): { id: string }[] {
    return [];
  }
  upload(_parts: ReadableStream<number>): void {}
  open(): InstanceType<typeof Access> {
    return new Access(this);
  }
}

const CONTRACT = {
  add: [Type.Integer(), Type.Optional(Type.String())],
  list: { input: [], readonly: true, plain: true, output: Type.Array(Type.String()), title: 'All' },
  value: live(),
  news: events(),
  numbers: stream(),
  table: rows('id', [Type.Optional(Type.String())]),
  upload: [streamOf(Type.Integer())],
  open: { input: [], returns: Access },
} as const;

const Things = lumenizeRpcDO(ThingsImpl, CONTRACT as never, {
  limits: { callsPerFrame: 7 },
  journalAge: 1000,
  hibernate: false,
});

/** Returns the part of a compiled contract that identifies it. */
function comparable(Class: { prototype: object }) {
  const compiled = contractOf(Class.prototype);
  if (!compiled) throw new Error('There is no contract');
  const { methods, capabilities, features, limits, journalAge, hibernate } = compiled;
  return {
    limits,
    journalAge,
    hibernate,
    capabilities: [...capabilities.keys()],
    features: [...features].map(({ name }) => name),
    methods: [...methods].map(([name, one]) => [
      name,
      one.kind,
      one.readonly,
      one.plain,
      one.key,
      one.input,
      one.output,
      one.title,
      [...(one.features?.keys() ?? [])],
    ]),
  };
}

test('another wrapped class with the same definition has the same contract', () => {
  const { Class, contract, options } = definitionOf(Things);
  expect(Class).toBe(ThingsImpl);
  const again = lumenizeRpcDO(Class, contract as never, options);
  expect(comparable(again)).toEqual(comparable(Things));
});

test('a class without a contract of its own is refused', () => {
  class Derived extends Things {}
  for (const Class of [ThingsImpl, Derived]) {
    expect(() => contenderClasses(Class as never)).toThrow(
      `contenderClasses: ${Class.name} has no contract of its own. Pass the class that lumenizeRpcDO returned`,
    );
  }
});

test('without a class, the performance test measures a counter', () => {
  const { Counter } = contenderClasses();
  expect(contractOf(Counter.prototype as object)?.methods.get('increment')?.kind).toBe('call');
});
