/** The template's counter with a feed. It also reports how many rows it has read and written. */
import * as Type from '../../../runtime/src/typebox.ts';
import { CounterImpl } from '../../../template/src/counter.ts';
import {
  events,
  feed,
  type Feed,
  lumenizeRpcDO,
  read,
  type RpcObject,
} from '../../../runtime/src/server.ts';

export interface Rows {
  read: number;
  written: number;
}

class MeteredImpl extends CounterImpl {
  #read = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#countReads(ctx.storage.kv);
  }

  news(): Feed<string> {
    return feed(this, 'news', { keep: 100 });
  }

  publish(text: string): void {
    this.news().append(text);
  }

  rows(): Rows {
    const { rows } = this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one();
    return { read: this.#read, written: rows as number };
  }

  /** The key-value storage does not count rows. Each key that is read or listed is a row. */
  #countReads(kv: SyncKvStorage): void {
    const prototype = Object.getPrototypeOf(kv) as SyncKvStorage;
    const { get, list } = prototype;
    const count = (): void => void this.#read++;
    prototype.get = function (this: SyncKvStorage, key: string) {
      count();
      return get.call(this, key) as never;
    };
    prototype.list = function* (this: SyncKvStorage, options?: SyncKvListOptions) {
      for (const entry of list.call(this, options)) {
        count();
        yield entry as never;
      }
    };
  }
}

export const Metered = lumenizeRpcDO(MeteredImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1 }))],
  news: events(),
  publish: [Type.String({ maxLength: 1000 })],
  rows: read(),
});
export type Metered = RpcObject<typeof Metered>;

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
