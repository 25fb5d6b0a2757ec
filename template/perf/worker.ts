/**
 * The Worker that `npm run perf` measures: the object below, once for each contender. To measure another object,
 * change the class and the methods here, and their names in run.ts.
 */
import { contenderClasses } from 'lumenize-rpc/perf';
import { read } from 'lumenize-rpc/server';
import { Type } from 'typebox';
import { CounterImpl } from '../src/counter.ts';

/** The names are those of wrangler.jsonc. */
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
