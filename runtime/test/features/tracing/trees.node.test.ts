/** Spans of a page, a Worker and two objects, as a collector receives them, are one tree for each trace. */
import * as api from '@opentelemetry/api';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { callback, openTelemetry, subscribe, traceCalls } from '../../../src/client.ts';
import { FRAME_SIZE } from '../../../src/wire/limits.ts';
import { attributesOf, type ReceivedSpan } from './collector.ts';
import { serve } from './serve.ts';

const { collector, worker } = await serve();

const tracing = traceCalls(openTelemetry(api));
const tracer = api.trace.getTracer('page');

/** Runs a function in a span, as a page does. @returns the lines of its trace, when it has `count` spans */
async function traced(count: number, run: () => Promise<unknown>): Promise<string[]> {
  const traceId = await tracer.startActiveSpan('page', async (span) => {
    try {
      await run();
    } finally {
      span.end();
    }
    return span.spanContext().traceId;
  });
  await until(() => collector.of(traceId).length >= count);
  return collector.tree(traceId);
}

/** Returns the last span with this name and kind. */
function spanOf(name: string, kind: number): ReceivedSpan {
  return collector.spans.findLast(
    (span) => span.name === name && span.kind === kind,
  ) as ReceivedSpan;
}

const FORWARDED = [
  '    Room.forward server',
  '      STORE.keep client',
  '        Store.keep server',
];

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('a page, an object and a second object are one tree', async () => {
    using room = worker.connect(`tree-${transport}`, { transport, tracing });
    const tree = await traced(5, () => room.forward('hello'));
    expect(tree).toEqual(['page internal', '  ROOM.forward client', ...FORWARDED]);
  });

  test('the calls of a frame have the parents in which they were made', async () => {
    using room = worker.connect(`frame-${transport}`, { transport, tracing });
    const [one, other] = await Promise.all([
      traced(3, () => room.post('one')),
      traced(3, async () => {
        await Promise.allSettled([room.fail()]);
      }),
    ]);
    expect(one).toEqual(['page internal', '  ROOM.post client', '    Room.post server']);
    expect(other).toEqual(['page internal', '  ROOM.fail client', '    Room.fail server']);
  });

  test('a call that takes the result of another call has its own parent', async () => {
    using room = worker.connect(`pipelined-${transport}`, { transport, tracing });
    const tree = await traced(7, () => room.post(room.forward('first')));
    expect(tree).toEqual([
      'page internal',
      '  ROOM.forward client',
      ...FORWARDED,
      '  ROOM.post client',
      '    Room.post server',
    ]);
  });
});

test('a page, a Worker, an object and a second object are one tree, by a header and a binding', async () => {
  const tree = await traced(6, async () => {
    const { traceId, spanId } = api.trace.getActiveSpan()!.spanContext();
    const headers = { traceparent: `00-${traceId}-${spanId}-01` };
    expect(await (await fetch(`${worker.runtime.url}/worker`, { headers })).text()).toBe(
      'kept by Worker',
    );
  });
  expect(tree).toEqual([
    'page internal',
    '  worker server',
    '    ROOM.forward client',
    ...FORWARDED.map((line) => `  ${line}`),
  ]);
});

test('the door for other callers takes the trace from the headers', async () => {
  const tree = await traced(4, async () => {
    const { traceId, spanId } = api.trace.getActiveSpan()!.spanContext();
    const response = await fetch(`${worker.runtime.url}/__rpc/ROOM/door/forward`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        traceparent: `00-${traceId}-${spanId}-01`,
        tracestate: 'vendor=of-door',
      },
      body: '["hello"]',
    });
    expect(await response.json()).toBe('kept hello');
  });
  expect(tree).toEqual(['page internal', ...FORWARDED.map((line) => line.slice(2))]);
  expect(spanOf('Room.forward', 2).traceState).toBe('vendor=of-door');
});

test('the door for other callers leaves out a trace for which a frame has no room', async () => {
  const room = FRAME_SIZE - '[[1,"isHolding",[""]]]'.length;
  const response = await fetch(`${worker.runtime.url}/__rpc/ROOM/full/isHolding`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
    body: `["${'x'.repeat(room)}"]`,
  });
  expect(await response.text()).toBe('false');
});

test('the start of a response with events takes the trace from the headers', async () => {
  const tree = await traced(2, async () => {
    const { traceId, spanId } = api.trace.getActiveSpan()!.spanContext();
    const response = await fetch(`${worker.runtime.url}/__rpc/ROOM/events/counts?args=[3]`, {
      headers: { Accept: 'text/event-stream', traceparent: `00-${traceId}-${spanId}-01` },
    });
    expect(await response.text()).toContain('data: 2');
  });
  expect(tree).toEqual(['page internal', '  Room.counts server']);
});

test('a call whose connection is lost is one span at each end', async () => {
  const { client: room } = worker.watch('lost', { tracing });
  const tree = await traced(5, async () => {
    const held = room.held('call');
    await until(() => worker.connect('lost').isHolding('call'));
    room.reconnect();
    await room.post('over the next connection');
    await worker.connect('lost').release('call');
    expect(await held).toBe('held call');
  });
  expect(tree.filter((line) => line.includes('held'))).toEqual([
    '  ROOM.held client',
    '    Room.held server',
  ]);
  room.close();
});

test('a traced call that the router rejects has certainly not run', async () => {
  using room = worker.connect('x', { transport: 'http', tracing }, 'MISSING' as never);
  await expect(room.post('hello')).rejects.toMatchObject({ maybeExecuted: false });
});

test('a span has the attributes of the semantic conventions, the outcome and the exception', async () => {
  using room = worker.connect('attributes', { tracing });
  await traced(3, () => room.post('hello'));
  const about = {
    'rpc.system.name': 'lumenize-rpc',
    'lumenize_rpc.object': 'attributes',
    'lumenize_rpc.kind': 'call',
    'lumenize_rpc.client': expect.stringMatching(/^.{8}$/) as string,
    'lumenize_rpc.id': expect.any(Number) as number,
  };
  const ok = { 'rpc.response.status_code': 'OK' };
  expect(attributesOf(spanOf('ROOM.post', 3))).toEqual({
    'rpc.method': 'ROOM.post',
    ...about,
    ...ok,
  });
  expect(attributesOf(spanOf('Room.post', 2))).toEqual({
    'rpc.method': 'Room.post',
    ...about,
    ...ok,
  });
  await traced(3, () => Promise.allSettled([room.fail()]));
  for (const failed of [spanOf('ROOM.fail', 3), spanOf('Room.fail', 2)]) {
    expect(attributesOf(failed)).toMatchObject({
      'rpc.response.status_code': 'RangeError',
      'error.type': 'RangeError',
    });
    expect(failed.status).toEqual({ code: 2, message: 'It failed' });
    const [exception] = failed.events;
    expect(exception?.name).toBe('exception');
    expect(attributesOf(exception!)).toMatchObject({ 'exception.message': 'It failed' });
  }
  await traced(3, () => Promise.allSettled([room.post(5 as never)]));
  expect(attributesOf(spanOf('Room.post', 2))).toMatchObject({ 'error.type': 'INVALID_ARGUMENTS' });
});

test('the span of a subscription ends when it has begun', async () => {
  using room = worker.connect('subscriptions', { tracing });
  const tree = await traced(5, async () => {
    for await (const value of subscribe(room).value()) {
      expect(value).toBe(1);
      break;
    }
    const counts = [];
    for await (const count of subscribe(room).counts(3)) counts.push(count);
    expect(counts).toEqual([0, 1, 2]);
  });
  expect(tree).toEqual([
    'page internal',
    '  ROOM.counts client',
    '    Room.counts server',
    '  ROOM.value client',
    '    Room.value server',
  ]);
});

test('an alarm is a span, and its calls are its children', async () => {
  using room = worker.connect('alarm');
  await room.plan();
  await until(() => spanOf('Room.alarm', 1) !== undefined);
  const { traceId } = spanOf('Room.alarm', 1);
  await until(() => collector.of(traceId).length === 3);
  expect(collector.tree(traceId)).toEqual([
    'Room.alarm internal',
    '  STORE.keep client',
    '    Store.keep server',
  ]);
});

test('a call of a function is a child of the call that passed it, at both ends', async () => {
  using room = worker.connect('callbacks', { tracing });
  const tree = await traced(6, () =>
    room.ask(
      'who?',
      callback(async (question) => {
        await Promise.resolve();
        tracer.startSpan('in the page').end();
        return `${question} me`;
      }),
    ),
  );
  expect(tree).toEqual([
    'page internal',
    '  ROOM.ask client',
    '    Room.ask server',
    '      Room.ask[1] client',
    '        ROOM.callback server',
    '          in the page internal',
  ]);
});

test('an error of a function is in both spans, and is handled in both', async () => {
  using room = worker.connect('failing', { tracing });
  await traced(5, async () => {
    const asked = room.ask(
      'who?',
      callback(() => Promise.reject(new RangeError('Nobody'))),
    );
    await expect(asked).rejects.toThrow('Nobody');
  });
  for (const failed of [spanOf('Room.ask[1]', 3), spanOf('ROOM.callback', 2)])
    expect(attributesOf(failed)).toMatchObject({ 'error.type': 'RangeError' });
});

test('a client without the option gets no trace, and its callbacks still work', async () => {
  const { client: room, sockets } = worker.watch('plain');
  expect(
    await room.ask(
      'who?',
      callback((question) => Promise.resolve(question)),
    ),
  ).toBe('who?');
  expect(sockets[0]?.received.join()).not.toContain('trace');
  room.close();
});

test('the object learns that a span is not sampled', async () => {
  const { traceId } = await tracer.startActiveSpan('page', async (span) => {
    span.end();
    const unsampled = { ...span.spanContext(), traceFlags: 0 };
    const { client: room, sockets } = worker.watch('unsampled', { tracing });
    await api.context.with(api.trace.setSpanContext(api.context.active(), unsampled), () =>
      room.post('hello'),
    );
    expect(sockets[0]?.sent[0]).toMatch(
      /^\[\["trace",\[1,"00-[\da-f]{32}-[\da-f]{16}-00"\]\],\[1,"post"/,
    );
    room.close();
    return unsampled;
  });
  using other = worker.connect('unsampled', { tracing });
  await traced(3, () => other.post('sampled'));
  expect(collector.tree(traceId)).toEqual(['page internal']);
});
