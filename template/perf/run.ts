/**
 * `npm run perf`: what is measured. Each contender, such as this RPC, Cap'n Web, and WebSockets by hand, makes the
 * same calls of the object in worker.ts.
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

  // The method that adds its argument, or 1, to a number that is 0 at first, and returns the sum.
  increment: 'increment',
  // The method that returns the number.
  read: 'getValue',

  // An entry for each workload. `--only` finds it by its name, and `--quick` leaves out what is long. One with the
  // weight 4 gets four times the time of others. To measure a method of your own, list it in worker.ts, and add
  // `calls('20 orders', 20, 'order', ['tea'])`: a name, the number of calls, the method, and its arguments.
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
