/** A Durable Object whose calls are reported to an array, by a hook that fails when told to. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  type CallReport,
  capability,
  live,
  bytes,
  lumenizeRpcDO,
  read,
  stream,
} from '../../../src/server.ts';

/** What the hook was told. */
export const told: CallReport[] = [];

/** What the hook does then. */
export const hook: { does: 'return' | 'throw' | 'reject' } = { does: 'return' };

function note(call: CallReport): void {
  told.push(call);
  if (hook.does === 'throw') throw new Error('The hook throws');
  // A hook may be asynchronous: for TypeScript such a function returns nothing that counts.
  if (hook.does === 'reject') return Promise.reject(new Error('The hook rejects')) as never;
}

class HalfImpl {
  readonly #whole: number;

  constructor(_object: object, whole: number) {
    this.#whole = whole;
  }

  half(): number {
    return this.#whole / 2;
  }
}

const Half = capability(HalfImpl, [Type.Number()], { half: read() });

class ReportedImpl extends DurableObject<Env> {
  readonly #gate = Promise.withResolvers<void>();

  add(by: number): number {
    const sum = this.value() + by;
    this.ctx.storage.kv.put('sum', sum);
    return sum;
  }

  async addLater(by: number): Promise<number> {
    await scheduler.wait(1);
    return this.add(by);
  }

  /** When `open` has been called. */
  async addWhenOpened(by: number): Promise<number> {
    await this.#gate.promise;
    return this.add(by);
  }

  open(): void {
    this.#gate.resolve();
  }

  value(): number {
    return this.ctx.storage.kv.get<number>('sum') ?? 0;
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  async failLater(): Promise<never> {
    await scheduler.wait(1);
    throw new SyntaxError('It failed later');
  }

  echo(value: unknown): unknown {
    return value;
  }

  giveFunction(): unknown {
    return () => {};
  }

  *counts(to: number): Iterable<number> {
    for (let count = 0; count < to; count++) yield count;
  }

  half(whole: number): InstanceType<typeof Half> {
    return new Half(this, whole);
  }
}

export const Reported = lumenizeRpcDO(
  ReportedImpl,
  {
    add: [Type.Integer()],
    addLater: [Type.Integer()],
    addWhenOpened: [Type.Integer()],
    open: [],
    value: live(),
    fail: [],
    failLater: [],
    echo: [Type.Unknown()],
    giveFunction: [],
    counts: stream([Type.Integer({ minimum: 0 })], { readonly: true }),
    half: { input: [Type.Number()], readonly: true, returns: [Half] },
  },
  { onCall: note, use: [bytes] },
);
export type Reported = InstanceType<typeof Reported>;
