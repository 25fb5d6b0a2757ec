/** `use: [tracing]` makes spans of the platform, which a streaming tail Worker receives. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../../../../harness/waiting.mjs';
import { traceCalls } from '../../../../src/client.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Desk } from './worker.ts';

interface TailEvent {
  readonly invocationId: string;
  /** The number of the event in its invocation, from 0. */
  readonly sequence: number;
  readonly spanContext: { readonly spanId?: string };
  readonly event: {
    readonly type: string;
    readonly name?: string;
    readonly spanId?: string;
    readonly message?: string;
    readonly info?: unknown;
  };
}

const events: TailEvent[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    events.push(JSON.parse(body) as TailEvent);
    response.end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const worker = await TestWorker.forTests<Desk, 'DESK'>(
  import.meta.dirname,
  { DESK: 'Desk' },
  {
    peers: { TAIL: (server.address() as AddressInfo).port },
    tail: 'TAIL',
  },
);

/** Returns the events of the span with this name. */
async function eventsOf(name: string): Promise<TailEvent[]> {
  const opened = (): TailEvent | undefined =>
    events.find(({ event }) => event.type === 'spanOpen' && event.name === name);
  const own = (): TailEvent[] => {
    const spanId = opened()?.event.spanId;
    return events.filter(({ spanContext }) => spanId && spanContext.spanId === spanId);
  };
  // Events arrive in any order, because the runtime delivers an event before the tail Worker has sent the previous event.
  await until(() => {
    const end = own().find(({ event }) => event.type === 'spanClose');
    const before = events.filter(
      ({ invocationId, sequence }) =>
        end && invocationId === end.invocationId && sequence < end.sequence,
    );
    return end !== undefined && before.length === end.sequence;
  });
  return own().toSorted((one, other) => one.sequence - other.sequence);
}

/** Returns the attributes among the events of a span. */
function attributesIn(own: readonly TailEvent[]): object {
  const lists = own.filter(({ event }) => event.type === 'attributes');
  const all = lists.flatMap(({ event }) => event.info as { name: string; value: unknown }[]);
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const tracing = traceCalls((_, run) => run({ context: { traceparent }, end: () => {} }));

test('a call over a socket is a span, with the span of the client as an attribute', async () => {
  using desk = worker.connect('one', { tracing });
  expect(await desk.write('hello')).toBe('hello');
  const own = await eventsOf('Desk.write');
  expect(attributesIn(own)).toMatchObject({
    'rpc.system.name': 'lumenize-rpc',
    'rpc.method': 'Desk.write',
    'rpc.response.status_code': 'OK',
    'lumenize_rpc.object': 'one',
    traceparent,
  });
});

test('an exception is an event of the span', async () => {
  using desk = worker.connect('two');
  await expect(desk.fail()).rejects.toThrow(RangeError);
  const own = await eventsOf('Desk.fail');
  expect(attributesIn(own)).toMatchObject({ 'error.type': 'RangeError' });
  expect(own.find(({ event }) => event.type === 'exception')?.event).toMatchObject({
    name: 'RangeError',
    message: 'It failed',
  });
});

test('a span of the method is a child, even after an await', async () => {
  using desk = worker.connect('three');
  await desk.later();
  const [first] = await eventsOf('Desk.later');
  const child = events.find(({ event }) => event.name === 'inside');
  expect(child?.spanContext.spanId).toBe(first?.spanContext.spanId);
});

test('an alarm is a span', async () => {
  using desk = worker.connect('four');
  await desk.plan();
  expect(attributesIn(await eventsOf('Desk.alarm'))).toMatchObject({
    'lumenize_rpc.kind': 'alarm',
    'rpc.response.status_code': 'OK',
  });
});
