/**
 * `npm run perf`: which calls are measured. This RPC makes them, and so do Cap'n Web and code written by hand, to compare
 * with. The class that they call is in worker.ts.
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

  // What must be right: for each object, a function that checks its answers in order, and throws.
  check() {
    let value = 0;
    return ({ method, answer }) => equal(answer, method === 'increment' ? ++value : value);
  },

  // `npm run perf -- --only reads` runs the workloads with that in their names.
  workloads: [
    ...standardWorkloads({ increments: 'increment', reads: 'getValue' }),
    ...exchanges, // Values, SQL and events, without a method of the class.
  ],
});
