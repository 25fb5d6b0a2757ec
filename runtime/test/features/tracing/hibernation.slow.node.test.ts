/** One trace whose object sleeps between two of its calls. */
import * as api from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { openTelemetry, traceCalls } from '../../../src/client.ts';
import { serve } from './serve.ts';

const { collector, worker } = await serve();

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

test('the calls before and after the sleep are children of one span', async () => {
  using room = worker.connect('asleep', { tracing: traceCalls(openTelemetry(api)) });
  const { traceId, lives } = await api.trace
    .getTracer('page')
    .startActiveSpan('page', async (span) => {
      const all = [await room.life()];
      for (let wait = IDLE; new Set(all).size < 2; wait *= 2) {
        await sleep(wait);
        all.push(await room.life());
      }
      span.end();
      return { traceId: span.spanContext().traceId, lives: all };
    });
  await until(() => collector.of(traceId).length > 2 * lives.length);
  const call = ['  ROOM.life client', '    Room.life server'];
  expect(collector.tree(traceId)).toEqual(['page internal', ...lives.flatMap(() => call)]);
});
