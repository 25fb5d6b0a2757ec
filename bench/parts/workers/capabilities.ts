/** A counter that clients call directly and through a capability, and that calls back. */
import * as Type from '../../../runtime/src/typebox.ts';
import {
  callback,
  capability,
  lumenizeRpcDO,
  read,
  type RpcObject,
} from '../../../runtime/src/server.ts';
import { StoredCounter } from '../cold/stored-counter.ts';

class AccessImpl {
  readonly #counter: CounterImpl;

  constructor(counter: CounterImpl, _user: string) {
    this.#counter = counter;
  }

  increment(by?: number): number {
    return this.#counter.increment(by);
  }

  getValue(): number {
    return this.#counter.getValue();
  }
}

const Access = capability(AccessImpl, [Type.String()], {
  increment: [Type.Optional(Type.Integer())],
  getValue: read(),
});

class CounterImpl extends StoredCounter {
  open(user: string): InstanceType<typeof Access> {
    return new Access(this, user);
  }

  /** Calls the callback several times, one call after the other. */
  async ask(question: () => Promise<number>, times: number): Promise<number> {
    let sum = 0;
    for (let asked = 0; asked < times; asked++) sum += await question();
    return sum;
  }

  /** Returns the number of rows that were written since the object was constructed. */
  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }
}

export const Counter = lumenizeRpcDO(CounterImpl, {
  increment: [Type.Optional(Type.Integer())],
  getValue: read(),
  open: { input: [Type.String()], returns: Access },
  ask: read([callback([], Type.Integer()), Type.Integer()]),
  rowsWritten: read(),
});
export type Counter = RpcObject<typeof Counter>;

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
