/** Durable Objects whose calls are reported to lists. A test can make the hook fail. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  type CallReport,
  type CallStart,
  capability,
  live,
  bytes,
  internal,
  lumenizeRpcDO,
  read,
  reportCalls,
  stream,
} from '../../../src/server.ts';

/** The reports that the hook of a class got. */
class Told {
  /** The calls that have begun. */
  readonly started: CallStart[] = [];
  /** The reports of calls that have ended. */
  readonly ended: CallReport[] = [];

  clear(): void {
    this.started.length = this.ended.length = 0;
  }
}

/** The reports of `Reported` and of `Joined`. Each class has its own because the test files run side by side. */
export const told = new Told();
export const joined = new Told();

/** What the hook does, and at which report. */
export const hook: { does: 'return' | 'throw' | 'reject'; at: 'start' | 'end' } = {
  does: 'return',
  at: 'end',
};

function act(at: 'start' | 'end'): Promise<never> | undefined {
  if (hook.at !== at || hook.does === 'return') return undefined;
  if (hook.does === 'throw') throw new Error('The hook throws');
  return Promise.reject(new Error('The hook rejects'));
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

  /** Adds after `open` has been called. */
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

  /** This method can only be called by native RPC. */
  twice(by: number): number {
    return 2 * by;
  }

  /** Calls other methods of the contract, as any method can. */
  addTwice(by: number): number {
    this.add(by);
    return this.add(by);
  }

  alarmAt(time: number): Promise<void> {
    return this.ctx.storage.setAlarm(time);
  }

  override alarm(): void {
    if (this.add(1) > 1) throw new RangeError('It rang twice');
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

const contract = {
  add: [Type.Integer()],
  addLater: [Type.Integer()],
  addWhenOpened: [Type.Integer()],
  open: [],
  value: live(),
  fail: [],
  failLater: [],
  echo: [Type.Unknown()],
  twice: internal([Type.Integer()]),
  addTwice: [Type.Integer()],
  alarmAt: [Type.Number()],
  giveFunction: [],
  counts: stream([Type.Integer({ minimum: 0 })], { readonly: true }),
  half: { input: [Type.Number()], readonly: true, returns: [Half] },
} as const;

const telling = ({ started, ended }: Told) =>
  reportCalls<{ user: string }>(
    (call) => {
      started.push(call);
      const failing = act('start');
      // A hook can be asynchronous, because TypeScript accepts a promise in place of no result.
      if (failing) return failing as never;
      return (report) => {
        ended.push(report);
        return act('end') as never;
      };
    },
    { callerName: (caller) => caller?.user.toUpperCase() },
  );

export const Reported = lumenizeRpcDO(ReportedImpl, contract, {
  onCall: telling(told),
  use: [bytes],
});
export type Reported = InstanceType<typeof Reported>;

export const Joined = lumenizeRpcDO(ReportedImpl, contract, {
  onCall: telling(joined),
  use: [bytes],
});
