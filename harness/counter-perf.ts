/**
 * The performance test of the template's counter, with the runtime's sources: its contenders, and its workloads. These are
 * those of template/perf/run.ts, which runs when it is imported. A test compares the two lists.
 */
import * as capnweb from 'capnweb';
import { contendersFor } from '../runtime/src/perf/contenders.ts';
import { samples } from '../runtime/src/perf/samples.ts';
import {
  bookings,
  callers,
  echo,
  events,
  fresh,
  inFlight,
  inSequence,
  type Workload,
} from '../runtime/src/perf/workloads.ts';

export const contenders = contendersFor({ increment: 'increment', read: 'getValue' }, capnweb);

export const workloads: readonly Workload[] = [
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
];
