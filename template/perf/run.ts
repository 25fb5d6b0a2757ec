/**
 * `npm run perf`: which calls are measured. This RPC makes them, and so do Cap'n Web and code written by hand, to compare
 * with. The object that they call is in worker.ts.
 *
 * To measure a method of your own, list it in worker.ts, import `calls` here, and add a workload:
 * `calls('20 orders', 20, 'order', ['tea'])` has a name, the number of calls, the method and its arguments.
 */
import { join } from 'node:path';
import {
  bookings,
  callers,
  echo,
  events,
  fresh,
  inFlight,
  inSequence,
  runPerf,
  samples,
} from 'lumenize-rpc/perf';

await runPerf({
  project: join(import.meta.dirname, '..'),

  // The names of two methods: one adds its argument, or 1, to a number and returns the sum; one returns the number.
  increment: 'increment',
  read: 'getValue',

  // `npm run perf -- --only reads` runs the workloads with that in their names, and `--quick` leaves out the long ones.
  // A weight of 4 gives a workload four times as long as others.
  workloads: [
    inSequence('100 increments', 100, ['increment'], { weight: 4 }),
    inSequence('100 reads', 100, ['read'], { weight: 4 }),
    inSequence('50 mixed pairs', 50, ['increment', 'read'], { weight: 4 }),
    fresh('100 increments, fresh connection', 100, ['increment'], { isLong: true }),
    fresh('100 reads, fresh connection', 100, ['read'], { isLong: true }),
    fresh('50 mixed pairs, fresh connection', 50, ['increment', 'read'], { isLong: true }),
    fresh('first answer on a fresh connection', 1, ['read']),
    inFlight('10 increments in flight', 10, 'increment'),
    inFlight('10 reads in flight', 10, 'read'),
    inFlight('100 increments in flight', 100, 'increment'),
    inFlight('100 reads in flight', 100, 'read'),
    inFlight('1000 increments in flight', 1000, 'increment', { isLong: true }),
    inFlight('1000 reads in flight', 1000, 'read', { isLong: true }),
    callers('100 callers, none in the same tick', 100),
    bookings('20 bookings, with SQL and an alarm', 20),
    events('10 events, each heard by 100', 10, 100),
    echo('10 KiB object, there and back', 10, samples.table),
    echo(
      'Map, Date and cycle (floor: as JSON), there and back',
      10,
      samples.orders,
      samples.ordersAsJson,
    ),
    echo('1 MiB of bytes, there and back', 1, samples.bytes),
  ],
});
