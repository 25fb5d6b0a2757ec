/** `onCall` of a client reports each call, however it ends, and its reports match those of the object. */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  bytes,
  capabilities,
  type ClientCallReport,
  type ClientCallStart,
  createRpcClient,
  messagePortTransport,
  reportCalls,
  type RpcClient,
  withOptions,
} from '../../../src/client.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { compileContract, live, servePort } from '../../../src/server.ts';
import { connect, type ConnectOptions } from '../../../src/testing/connect.ts';
import type { TestEnv } from '../../worker.ts';
import { joined as ofObject, type Reported } from './reported.ts';

const env = bindings as TestEnv;

const started: ClientCallStart[] = [];
const told: ClientCallReport[] = [];
const onCall = reportCalls((call) => {
  started.push(call);
  return (report) => void told.push(report);
});

beforeEach(() => {
  ofObject.clear();
  started.length = told.length = 0;
});
afterEach(() => void vi.restoreAllMocks());

const open = (name: string, options: ConnectOptions = {}): RpcClient<Reported> =>
  connect<Reported>('JOINED', name, { onCall, ...options });

async function settled(...work: PromiseLike<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
}

/** Returns the properties that the reports of both ends share. */
const common = ({ object, client, method, id, outcome }: ClientCallReport) => ({
  object,
  client,
  method,
  id,
  outcome,
});

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('the reports of both ends have the same object, client, number, method and outcome', async () => {
    using object = open(`joined-${transport}`, { transport });
    await settled(object.add(1), object.addLater(1), object.fail(), object.add('x' as never));
    expect(told).toHaveLength(4);
    const byId = (list: object[]): object[] =>
      (list as ClientCallReport[]).map(common).toSorted((one, other) => one.id! - other.id!);
    expect(byId(told)).toEqual(byId(ofObject.ended));
    expect(started.map(({ id, method }) => [id, method])).toEqual([
      [1, 'add'],
      [2, 'addLater'],
      [3, 'fail'],
      [4, 'add'],
    ]);
  });

  test('a report has the binding, the sizes, the error and the time', async () => {
    using object = open(`whole-${transport}`, { transport });
    await object.echo('ä');
    const [thrown] = (await Promise.allSettled([object.fail()])) as [PromiseRejectedResult];
    const about = { binding: 'JOINED', object: `whole-${transport}`, kind: 'call' };
    const others = {
      client: expect.any(String) as string,
      duration: expect.any(Number) as number,
      bytesIn: expect.any(Number) as number,
    };
    expect(told).toEqual([
      { ...about, ...others, method: 'echo', id: 1, outcome: 'ok', bytesIn: 10, bytesOut: 17 },
      {
        ...about,
        ...others,
        method: 'fail',
        id: 2,
        outcome: 'RangeError',
        error: thrown.reason,
        bytesOut: 10,
      },
    ]);
  });

  test('a report counts bytes beside the text', async () => {
    using object = open(`bytes-${transport}`, { transport, bytes });
    await object.echo(new Uint8Array(5_000));
    for (const count of [told[0]?.bytesIn, told[0]?.bytesOut]) {
      expect(count).toBeGreaterThan(5_000);
      expect(count).toBeLessThan(5_200);
    }
  });

  test('a report divides the size of a frame by the answers in it', async () => {
    using object = open(`divided-${transport}`, { transport });
    await Promise.all([object.echo('a'), object.echo('a')]);
    const share = '[[1,"a"],[2,"a"]]'.length / 2;
    expect(told.map(({ bytesIn }) => bytesIn)).toEqual([share, share]);
  });

  test('a reported call leaves no listener at its signal', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    using object = open(`signal-${transport}`, { transport });
    await withOptions(object, { signal }).add(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  test('a report names the method of a capability', async () => {
    using object = open(`capabilities-${transport}`, { transport, capabilities });
    const half = object.half(3);
    expect(await half.half()).toBe(1.5);
    expect(told.map(({ method }) => method)).toEqual(['half', 'half']);
  });

  test.each(['start', 'end'])('a hook that throws at the %s breaks no call', async (at) => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fail = (now: string): void => {
      if (now === at) throw new Error('The hook throws');
    };
    const failing = reportCalls(() => {
      fail('start');
      return () => fail('end');
    });
    using object = open(`hook-${transport}-${at}`, { transport, onCall: failing });
    expect(await Promise.all([object.add(1), object.addLater(1)])).toEqual([1, 2]);
    await expect(object.fail()).rejects.toThrow(RangeError);
    expect(complaints).toHaveBeenCalledTimes(3);
  });
});

test('a call that is sent again over another connection has one report here, and two in the object', async () => {
  using object = open('again');
  const late = object.addWhenOpened(1);
  await expect.poll(() => ofObject.started).toHaveLength(1);
  await runInDurableObject(env.JOINED.getByName('again'), (_, state) => {
    for (const socket of state.getWebSockets()) socket.close(1012, 'restarting');
  });
  await expect.poll(() => ofObject.started).toHaveLength(2);
  await object.open();
  expect(await late).toBe(1);
  expect(told.map(common)).toEqual([
    expect.objectContaining({ method: 'open', outcome: 'ok' }),
    expect.objectContaining({ method: 'addWhenOpened', id: 1, outcome: 'ok' }),
  ]);
  const ends = ofObject.ended.filter(({ method }) => method === 'addWhenOpened');
  expect(ends.map(({ id, replayed }) => [id, replayed])).toEqual([
    [1, undefined],
    [1, true],
  ]);
});

test('aborted calls and calls that were never sent are reported', async () => {
  using object = open('aborted');
  const controller = new AbortController();
  const { signal } = controller;
  const cancelled = withOptions(object, { signal }).addWhenOpened(1);
  await object.value();
  controller.abort();
  await settled(
    cancelled,
    withOptions(object, { signal }).add(1),
    object.echo(() => {}),
  );
  object.close();
  await settled(object.add(1));
  expect(
    told.map(({ method, outcome, bytesOut, bytesIn }) => [method, outcome, !!bytesOut, !!bytesIn]),
  ).toEqual([
    ['value', 'ok', true, true],
    ['addWhenOpened', 'ABORTED', true, false],
    ['add', 'ABORTED', false, false],
    ['echo', 'UNSERIALIZABLE', false, false],
    ['add', 'CLOSED', false, false],
  ]);
});

describe('a subscription', () => {
  test('is reported when it has begun or has been rejected, as in the object', async () => {
    using object = open('subscriptions');
    for await (const value of subscribe(object).value()) {
      expect(value).toBe(0);
      break;
    }
    await settled(subscribe(object).counts(-1)[Symbol.asyncIterator]().next());
    expect(told.map(common)).toEqual(ofObject.ended.map((report) => common(report as never)));
    expect(told.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['subscription', 'ok'],
      ['subscription', 'INVALID_ARGUMENTS'],
    ]);
  });

  /** Connects a client to an object that answers nothing. */
  function openMute(): RpcClient<{ values: never }> {
    const { port1 } = new MessageChannel();
    return createRpcClient('MUTE', 'one', { transport: messagePortTransport(port1), onCall });
  }

  function loopOf(client: object): AsyncIterator<number> {
    const values = (subscribe(client as never) as { value(): AsyncIterable<number> }).value();
    return values[Symbol.asyncIterator]();
  }

  test('is reported if its client is closed before it begins', async () => {
    const client = openMute();
    const next = loopOf(client).next();
    await expect.poll(() => started).toHaveLength(1);
    client.close();
    await settled(next);
    expect(told.map(({ outcome }) => outcome)).toEqual(['CLOSED']);
  });

  test('is reported if its loop ends before it begins', async () => {
    using client = openMute();
    const loop = loopOf(client);
    void loop.next();
    await expect.poll(() => started).toHaveLength(1);
    void loop.return?.();
    await expect.poll(() => told.map(({ outcome }) => outcome)).toEqual(['ABORTED']);
  });
});

test('a client over a port reports its calls, without a client id', async () => {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port1, { value: () => 1 }, compileContract({ value: live() }));
  using client = createRpcClient<{ value(): number }>('ONE', 'here', {
    transport: messagePortTransport(port2),
    onCall,
  });
  expect(await client.value()).toBe(1);
  served.close();
  expect(told).toMatchObject([{ binding: 'ONE', object: 'here', method: 'value', id: 1 }]);
  expect(told[0]).not.toHaveProperty('client');
});
