/**
 * The object that `npm run perf` measures. To measure another, put its class and its contract here, and the names of its
 * methods into run.ts.
 */
import { contenderClasses } from 'lumenize-rpc/perf';
import { read } from 'lumenize-rpc/server';
import * as Type from 'typebox';
import { CounterImpl } from '../src/counter.ts';

/** The object, once for each way to call it. The names are those of wrangler.jsonc. */
export const {
  Counter,
  AwakeCounter,
  UnjournaledCounter,
  ManualCounter,
  CapnwebCounter,
  PlainFloor,
  HibernatingFloor,
  PostFloor,
} = contenderClasses(CounterImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
  getValue: read(),
});

export { contenderWorker as default } from 'lumenize-rpc/perf';
