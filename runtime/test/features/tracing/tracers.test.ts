/** Tracers that fail or do nothing, and traces that strangers send, break no call. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as api from '@opentelemetry/api';
import {
  createRpcClient,
  messagePortTransport,
  openTelemetry,
  type RpcClient,
  subscribe,
  type TracedCall,
  type Tracer,
  traceCalls as traceClient,
} from '../../../src/client.ts';
import { compileContract, live, servePort, traceCalls } from '../../../src/server.ts';
import { heldMemoryOf } from '../../../src/server/base/memory.ts';
import * as Type from '../../../src/typebox.ts';
import { openPort } from '../../support/open-port.ts';

afterEach(() => void vi.restoreAllMocks());

class Room {
  ran = 0;

  post(text: string): string {
    this.ran++;
    return text;
  }

  async later(text: string): Promise<string> {
    await Promise.resolve();
    return text;
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  value(): number {
    return 1;
  }
}

const contract = (tracer: Tracer) =>
  compileContract(
    {
      post: [Type.String()],
      later: [Type.Unsafe<string>(Type.Unknown())],
      fail: [],
      value: live(),
    },
    { use: [traceCalls(tracer)] },
  );

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Returns a tracer that records its spans. */
function recorder(): { tracer: Tracer; calls: TracedCall[]; outcomes: string[] } {
  const calls: TracedCall[] = [];
  const outcomes: string[] = [];
  const tracer: Tracer = (call, run) => {
    calls.push(call);
    return run({ end: ({ outcome }) => void outcomes.push(outcome) });
  };
  return { tracer, calls, outcomes };
}

const fail = (): never => {
  throw new Error('The tracer throws');
};

/** Tracers with mistakes, and the number of errors that three calls log. */
const FAILING: [name: string, tracer: Tracer, complaints: number][] = [
  ['throws', fail, 3],
  [
    'throws after the call',
    (_, run) => {
      run(undefined);
      return fail();
    },
    3,
  ],
  ['runs nothing', () => undefined as never, 0],
  ['gives no span', (_, run) => run(undefined), 0],
  ['throws when the span ends', (_, run) => run({ end: fail }), 3],
  [
    'runs twice',
    (_, run) => {
      run({ end: () => {} });
      return run({ end: () => {} });
    },
    0,
  ],
];

describe.each(FAILING)('a tracer that %s', (_, tracer, complaints) => {
  test('breaks no call in the object', async () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
    const room = new Room();
    const raw = openPort(room, contract(tracer));
    raw.sendMessages('[1,"post",["a"]]', '[2,"later",["b"]]', '[3,"fail"]');
    const heard = await raw.until(([id]) => id === 2);
    expect(heard.find(([id]) => id === 1)).toEqual([1, 'a']);
    expect(heard.find(([id]) => id === 2)).toEqual([2, 'b']);
    expect(heard.find(([id]) => id === 3)?.slice(0, 2)).toEqual([3, 'error']);
    expect(room.ran).toBe(1);
    expect(console).toHaveBeenCalledTimes(complaints);
  });

  test('breaks no call of a client', async () => {
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
    const room = new Room();
    const { client, close } = joined(room, recorder().tracer, tracer);
    expect(await Promise.all([client.post('a'), client.later('b')])).toEqual(['a', 'b']);
    await expect(client.fail()).rejects.toThrow(RangeError);
    expect(room.ran).toBe(1);
    expect(console).toHaveBeenCalledTimes(complaints);
    close();
  });
});

/** Connects a client and an object that have tracers of their own. */
function joined(
  room: Room,
  ofObject: Tracer,
  ofClient: Tracer,
): { client: RpcClient<Room>; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, room, contract(ofObject));
  const client = createRpcClient<Room>('ROOM', 'x', {
    transport: messagePortTransport(port1),
    tracing: traceClient(ofClient),
  });
  const close = (): void => {
    client.close();
    served.close();
  };
  return { client, close };
}

test('an API without an SDK sends no trace', async () => {
  const { tracer, calls } = recorder();
  const { client, close } = joined(new Room(), tracer, openTelemetry(api));
  expect(await client.post('a')).toBe('a');
  expect(calls.map(({ name, parent }) => [name, parent])).toEqual([['Room.post', undefined]]);
  close();
});

test('the parent of a subscription is the span of its start', async () => {
  const { tracer, calls } = recorder();
  const { client, close } = joined(new Room(), tracer, (_, run) =>
    run({ context: { traceparent, tracestate: 'a=1' }, end: () => {} }),
  );
  for await (const value of subscribe(client).value()) {
    expect(value).toBe(1);
    break;
  }
  expect(calls).toMatchObject([{ name: 'Room.value', parent: { traceparent, tracestate: 'a=1' } }]);
  close();
});

test.each(['post', 'later'] as const)(
  'a call of %s that arrives twice has one span, while it runs and afterwards',
  async (method) => {
    const { tracer, calls } = recorder();
    const raw = openPort(new Room(), contract(tracer));
    const call = `[1,"${method}",["a"]]`;
    raw.sendMessages(call);
    raw.sendMessages('["resent",1]', call);
    await raw.until(([id]) => id === 1);
    await raw.exchange('["resent",1]', call);
    const own = calls.filter(({ attributes }) => attributes['lumenize_rpc.id'] === 1);
    expect(own).toHaveLength(1);
  },
);

describe('a trace that a stranger sends', () => {
  test.each([
    ['for no call', '["trace",[99,"T"]]'],
    ['for a later frame', '["trace",[1001,"T"]]'],
    ['for a subscription with the number of the call', '["trace",[-1,"T"]]'],
    ['that is malformed', '["trace",[1,"00-x"]]'],
    ['without a list', '["trace",1,"T"]'],
    ['with the text of many traces', `["trace",[1,"${'T'.repeat(100)}"]]`],
    ['after the call', '[9,"post",["b"]],["trace",[1,"T"]]'],
  ])('%s has no effect', async (_, message) => {
    const { tracer, calls } = recorder();
    const raw = openPort(new Room(), contract(tracer));
    const isLater = message.startsWith('[9');
    const sent = message.replaceAll('T', traceparent);
    await raw.exchange(...(isLater ? [sent] : [sent, '[1,"post",["a"]]']));
    await raw.exchange('[1001,"post",["a"]]');
    expect(calls.length).toBeGreaterThan(1);
    for (const { parent } of calls) expect(parent).toBeUndefined();
    expect(raw.closed).toBeUndefined();
  });

  test('is the parent of the calls that it names, even of a rejected call and of a call that waits', async () => {
    const { tracer, calls, outcomes } = recorder();
    const raw = openPort(new Room(), contract(tracer));
    const spans = [1, 2, 3].map((id) => traceparent.replace('b7-', `b${id}-`));
    const entries = spans.map((span, index) => `[${index + 1},"${span}"]`);
    raw.sendMessages(
      `["trace",${entries.join()}]`,
      '[1,"later",["a"]]',
      '[2,"post",[5]]',
      '[3,"post","rich",[[[[1]]],["Call",1]]]',
    );
    await expect.poll(() => outcomes).toEqual(['INVALID_ARGUMENTS', 'ok', 'ok']);
    const parents = calls.map(({ attributes, parent }) => [
      attributes['lumenize_rpc.id'],
      parent?.traceparent,
    ]);
    expect(parents).toEqual([
      [1, spans[0]],
      [2, spans[1]],
      [3, spans[2]],
    ]);
  });

  test('is the parent of a call that is cancelled while it waits for another call', async () => {
    const gate = Promise.withResolvers<string>();
    const room = Object.assign(new Room(), { later: () => gate.promise });
    const { tracer, calls, outcomes } = recorder();
    const raw = openPort(room, contract(tracer));
    raw.sendMessages(
      `["trace",[2,"${traceparent}"]]`,
      '[1,"later",["a"]]',
      '[2,"post","rich",[[[[1]]],["Call",1]]]',
    );
    await raw.exchange('["cancel",2]');
    gate.resolve('b');
    await raw.until(([id]) => id === 1);
    const cancelled = () => calls.find(({ attributes }) => attributes['lumenize_rpc.id'] === 2);
    await expect.poll(cancelled).toBeDefined();
    expect(room.ran).toBe(0);
    expect(outcomes).toContain('ABORTED');
    expect(cancelled()?.parent).toEqual({ traceparent });
  });

  test('counts in the account of its client as long as its call runs', async () => {
    const gate = Promise.withResolvers<string>();
    const room = Object.assign(new Room(), { later: () => gate.promise });
    const raw = openPort(room, contract(recorder().tracer));
    const state = `a=${'x'.repeat(200)}`;
    raw.sendMessages(`["trace",[1,"${traceparent}","${state}"]]`, '[1,"later",["a"]]');
    await raw.exchange();
    expect(heldMemoryOf(room).held).toBeGreaterThan(state.length + traceparent.length);
    gate.resolve('b');
    await raw.until(([id]) => id === 1);
    await expect.poll(() => heldMemoryOf(room).held).toBe(0);
  });
});
