/**
 * The calls that `npm run perf` measures. It makes each call with lumenize-rpc and, for comparison, with Cap'n Web and with
 * code written by hand. The class that is called is in worker.ts.
 *
 * To measure another class, name its methods here:
 *
 *   workloads: [inSequence('20 orders', 20, ['order']), inFlight('10 orders in flight', 10, 'order')],
 */
import { equal } from 'node:assert/strict';
import { join } from 'node:path';
import { exchanges, runPerf, standardWorkloads } from 'lumenize-rpc/perf';

await runPerf({
  project: join(import.meta.dirname, '..'),

  // The arguments of each call. `index` counts the calls of an object: [`order-${index}`, 'tea'].
  argumentsOf: (_method, _index) => [],

  // Returns, for each object, a function that gets the object's answers in order, and throws if one is wrong.
  check() {
    let value = 0;
    return ({ method, answer }) => equal(answer, method === 'increment' ? ++value : value);
  },

  // `npm run perf -- --only reads` runs the workloads with "reads" in their names.
  workloads: [
    ...standardWorkloads({ increments: 'increment', reads: 'getValue' }),
    ...exchanges, // These workloads measure values, SQL and events, and call no method of the class.
  ],
});
