/** `onCall` of a class reports each call, however it arrives and ends, and breaks no call. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callback, createRpcClient, type RpcClient, withOptions } from '../../../src/client.ts';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { presence as followPresence } from '../../../src/features/presence/client/presence.ts';
import { inspect } from '../../../src/features/debug/server/inspect.ts';
import {
  callback as callbackOf,
  compileContract,
  live,
  presence,
  reportCalls,
  servePort,
} from '../../../src/server.ts';
import { connect, type ConnectOptions } from '../../../src/testing/connect.ts';
import { openSocket } from '../../support/open-socket.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import type { TestEnv } from '../../worker.ts';
import { hook, type Reported, told } from './reported.ts';

beforeEach(() => {
  told.clear();
  hook.does = 'return';
});
afterEach(() => void vi.restoreAllMocks());

const env = bindings as TestEnv;

const anyTime = expect.any(Number) as number;
const anySizes = { bytesIn: expect.any(Number) as number, bytesOut: expect.any(Number) as number };

/** Returns the expected report of a call. */
const call = (method: string, outcome = 'ok') => ({
  kind: 'call',
  class: 'ReportedImpl',
  object: expect.any(String) as string,
  method,
  id: expect.any(Number) as number,
  client: expect.stringMatching(/^.{8}$/) as string,
  outcome,
  ...(outcome === 'ok' ? {} : { error: expect.anything() as unknown }),
  duration: anyTime,
  ...anySizes,
});

/** Returns the expected report of a call over a port, to an object without a `ctx`. */
const portCall = (own: string, method: string, outcome = 'ok') => ({
  ...call(method, outcome),
  class: own,
  object: '',
});

/** A method that the contract does not list. */
interface Other {
  nothing(): Promise<void>;
}

const telling = reportCalls(() => (report) => void told.ended.push(report));

async function settled(promise: PromiseLike<unknown>): Promise<void> {
  await Promise.allSettled([promise]);
}

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  const open = (name: string, options: ConnectOptions = {}): RpcClient<Reported> =>
    connect<Reported>('REPORTED', `${name}-${transport}`, { transport, ...options });

  test.each<[string, (object: RpcClient<Reported>) => PromiseLike<unknown>, string, string]>([
    ['a method that returns', (object) => object.add(1), 'add', 'ok'],
    ['a method that awaits', (object) => object.addLater(1), 'addLater', 'ok'],
    ['a method that throws', (object) => object.fail(), 'fail', 'RangeError'],
    ['a method that throws later', (object) => object.failLater(), 'failLater', 'SyntaxError'],
    ['a wrong argument', (object) => object.add('x' as never), 'add', 'INVALID_ARGUMENTS'],
    ['a wrong result', (object) => object.giveFunction(), 'giveFunction', 'UNSERIALIZABLE'],
    ['a result that looks like a failure', (object) => object.echo('error'), 'echo', 'ok'],
    [
      'an unknown method, whose name anybody can choose',
      (object) => (object as unknown as Other).nothing(),
      '',
      'METHOD_NOT_FOUND',
    ],
  ])('reports %s', async (_, make, method, outcome) => {
    using object = open('kinds');
    await settled(make(object));
    expect(told.ended).toEqual([call(method, outcome)]);
  });

  test('reports the calls of a frame in the order in which they end', async () => {
    using object = open('frame');
    const late = object.addLater(1);
    const refused = object.add('x' as never);
    await Promise.all([late, object.add(2), settled(refused), object.add(late)]);
    expect(told.ended.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual([
      'add INVALID_ARGUMENTS',
      'add ok',
      'addLater ok',
      'add ok',
    ]);
  });

  test('reports calls of capabilities, with the names of their methods', async () => {
    using object = open('capabilities', { capabilities });
    const half = object.half(3);
    expect(await half.half()).toBe(1.5);
    await settled((half as unknown as Other).nothing());
    expect(told.ended).toEqual([call('half'), call('half'), call('', 'METHOD_NOT_FOUND')]);
  });

  test('reports the size of the frame of each call, and of its answer', async () => {
    using object = open('sizes');
    await object.echo('ä');
    await Promise.all([object.echo('a'), object.echo('a')]);
    const up = ['[[1,"echo",["ä"]]]', '[[2,"echo",["a"]],[3,"echo",["a"]]]'].map(size);
    expect(told.ended.map(({ bytesIn, bytesOut }) => ({ bytesIn, bytesOut }))).toEqual([
      { bytesIn: up[0], bytesOut: size('[1,"ä"]') },
      { bytesIn: (up[1] as number) / 2, bytesOut: size('[2,"a"]') },
      { bytesIn: (up[1] as number) / 2, bytesOut: size('[3,"a"]') },
    ]);
  });

  test('reports bytes beside the text', async () => {
    using object = open('bytes', { bytes });
    await object.echo(new Uint8Array(5_000));
    const [{ bytesIn = 0, bytesOut = 0 } = {}] = told.ended;
    for (const count of [bytesIn, bytesOut]) {
      expect(count).toBeGreaterThan(5_000);
      expect(count).toBeLessThan(5_200);
    }
  });

  test.each([
    ['throw', 'start'],
    ['reject', 'start'],
    ['throw', 'end'],
    ['reject', 'end'],
  ] as const)('breaks no call if it %ss at the %s', async (does, at) => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    using object = open(`hook-${does}-${at}`);
    Object.assign(hook, { does, at });
    expect(await Promise.all([object.add(1), object.addLater(1)])).toEqual([1, 2]);
    await expect(object.fail()).rejects.toThrow(RangeError);
    hook.does = 'return';
    expect(await object.add(1)).toBe(3);
    const texts = complaints.mock.calls.map(([error]) => (error as Error).message);
    expect(texts).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining(`The hook ${does}`)),
    );
  });
});

function size(text: string): number {
  return new TextEncoder().encode(text).length;
}

const subscription = (method: string, id: number, outcome = 'ok') => {
  const { bytesIn: _in, bytesOut: _out, ...known } = { ...call(method, outcome), id };
  return { ...known, kind: 'subscription' };
};

test('reports that a subscription has begun or has been rejected', async () => {
  using object = connect<Reported>('REPORTED', 'subscriptions');
  for await (const value of subscribe(object).value()) {
    expect(value).toBe(0);
    break;
  }
  const counts = [];
  for await (const count of subscribe(object).counts(3)) counts.push(count);
  expect(counts).toEqual([0, 1, 2]);
  await settled(subscribe(object).counts(-1)[Symbol.asyncIterator]().next());
  expect(told.ended).toEqual([
    subscription('value', 1),
    subscription('counts', 2),
    subscription('counts', 3, 'INVALID_ARGUMENTS'),
  ]);
});

test('reports a cancelled call when its method ends', async () => {
  using object = connect<Reported>('REPORTED', 'cancelled');
  const controller = new AbortController();
  const cancelled = withOptions(object, { signal: controller.signal }).addWhenOpened(1);
  expect(await object.value()).toBe(0);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
  await object.open();
  await expect.poll(() => object.value()).toBe(1);
  expect(told.ended.filter(({ method }) => method === 'addWhenOpened')).toEqual([
    call('addWhenOpened'),
  ]);
});

/** POSTs a frame to an object, as a client does. */
async function post(name: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'lumenize-rpc-client': 'd'.repeat(32) };
  const options = { method: 'POST', headers, body };
  return (
    await exports.default.fetch(`https://example.com/__rpc/REPORTED/${name}/call`, options)
  ).text();
}

test('reports a call that is answered from the journal', async () => {
  const send = (): Promise<string> => post('again', '[["awaits",1],[1,"add",[5]],[2,"fail"]]');
  expect(await send()).toBe(await send());
  const error = expect.objectContaining({ message: 'It failed' }) as RangeError;
  const failed = { ...call('fail', 'RangeError'), error };
  expect(told.ended).toEqual([
    call('add'),
    failed,
    { ...call('add'), replayed: true },
    { ...failed, replayed: true },
  ]);
  expect(told.ended[3]?.bytesOut).toBe(told.ended[1]?.bytesOut);
});

test('reports each call when it begins, before its method runs', async () => {
  using object = connect<Reported>('REPORTED', 'starts', { as: { user: 'ada' } });
  const late = object.addWhenOpened(1);
  await expect.poll(() => told.started.length).toBe(1);
  expect(told.ended).toEqual([]);
  await object.open();
  await late;
  const about = { class: 'ReportedImpl', object: 'starts', kind: 'call', caller: 'ADA' };
  const client = expect.any(String) as string;
  expect(told.started).toEqual([
    { ...about, method: 'addWhenOpened', id: 1, client },
    { ...about, method: 'open', id: 2, client },
  ]);
  expect(told.ended).toMatchObject([told.started[1], told.started[0]] as object[]);
});

describe('without a client', () => {
  const own = (kind: 'native' | 'alarm', method: string, outcome = 'ok') => ({
    class: 'ReportedImpl',
    object: expect.any(String) as string,
    kind,
    method,
    outcome,
    duration: anyTime,
  });

  test('reports native calls, and not the calls that they make themselves', async () => {
    const stub = env.REPORTED.getByName('native');
    expect(await stub.addTwice(1)).toBe(2);
    await settled(stub.fail());
    await settled(stub.add('x' as never));
    expect(await stub.twice(2)).toBe(4);
    const error = expect.anything() as unknown;
    expect(told.ended).toEqual([
      own('native', 'addTwice'),
      { ...own('native', 'fail', 'RangeError'), error },
      { ...own('native', 'add', 'INVALID_ARGUMENTS'), error },
      own('native', 'twice'),
    ]);
    expect(told.started.map(({ method }) => method)).toEqual(['addTwice', 'fail', 'add', 'twice']);
  });

  test('reports an alarm, and not the calls that it makes itself', async () => {
    const stub = env.REPORTED.getByName('alarm');
    await stub.alarmAt(Date.now() + 3_600_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(told.ended).toEqual([own('native', 'alarmAt'), own('alarm', 'alarm')]);
    expect(await stub.value()).toBe(1);
  });

  test('breaks no native call if the hook throws', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    Object.assign(hook, { does: 'throw', at: 'start' });
    expect(await env.REPORTED.getByName('native hook').add(1)).toBe(1);
    expect(complaints).toHaveBeenCalledOnce();
  });
});

test('reports calls over a port', async () => {
  const { port1, port2 } = new MessageChannel();
  const contract = compileContract({ add: [] }, { onCall: telling });
  const served = servePort(port1, { add: () => 1 }, contract);
  using sum = createRpcClient<{ add(): number }>('SUM', 'here', {
    transport: messagePortTransport(port2),
  });
  expect(await sum.add()).toBe(1);
  served.close();
  expect(told.ended).toEqual([portCall('Object', 'add')]);
});

test('reports no call of a callback, which is a part of the call that it was passed to', async () => {
  class Asker {
    async ask(answer: () => Promise<number>): Promise<number> {
      return answer();
    }
  }
  const { port1, port2 } = new MessageChannel();
  const asking = compileContract({ ask: [callbackOf([], Type.Integer())] }, { onCall: telling });
  const served = servePort(port2, new Asker(), asking);
  using client = createRpcClient<Asker>('ASKER', 'x', { transport: messagePortTransport(port1) });
  expect(await client.ask(callback(() => Promise.resolve(1)))).toBe(1);
  expect(told.ended).toMatchObject([{ kind: 'call', method: 'ask' }]);
  served.close();
});

test('reports the start of a presence, and not its updates', async () => {
  class Desk {
    cursors(at?: number): number | undefined {
      if (at === 666) throw new RangeError('no such place');
      return at;
    }
  }
  const { port1, port2 } = new MessageChannel();
  const errors: unknown[] = [];
  const contract = compileContract(
    { cursors: presence([Type.Optional(Type.Number())]) },
    { onCall: telling, onError: (error) => void errors.push(error) },
  );
  const desk = new Desk();
  const served = servePort(port1, desk, contract);
  using client = createRpcClient<Desk>('DESK', 'here', {
    transport: messagePortTransport(port2),
  });
  const cursors = followPresence(client, (methods) => methods.cursors() as never);
  const lists = subscribe(client).cursors()[Symbol.asyncIterator]();
  const leave = cursors.subscribe(() => {});
  await lists.next();
  for (const at of [1, 2, 3]) {
    cursors.update(at);
    expect((await lists.next()).value).toMatchObject([{ value: at }]);
  }
  expect(inspect(desk).connections.list).toMatchObject([
    { calls: 0, subscriptions: { presence: 2 } },
  ]);
  expect(told.ended).toMatchObject([
    { kind: 'subscription', method: 'cursors', outcome: 'ok' },
    { kind: 'subscription', method: 'cursors', outcome: 'ok' },
  ]);
  expect(errors).toEqual([]);
  cursors.update(666);
  expect((await lists.next()).value).toEqual([]);
  expect(cursors.get().error).toMatchObject({ message: 'no such place' });
  expect(errors).toMatchObject([{ message: 'no such place' }]);
  expect(told.ended).toHaveLength(2);
  expect(inspect(desk).connections.list).toMatchObject([{ subscriptions: { presence: 1 } }]);
  leave();
  served.close();
});

test('reports calls without a valid method, without a name', async () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  await post(
    'no method',
    '[[1],[2,5],[3,{"a":1}],[4,null],[5,["add"]],[6,[["half"],1]],[7,"add",5]]',
  );
  expect(told.ended).toEqual([
    ...Array.from({ length: 6 }, () => call('', 'BAD_MESSAGE')),
    call('add', 'BAD_MESSAGE'),
  ]);
  expect(complaints).not.toHaveBeenCalled();
});

test('divides a frame by its calls, and not by its messages', async () => {
  const frame = '[["awaits",1],["cancel",9],[1,"add",[5]],[2,"value"]]';
  await post('messages', frame);
  expect(told.ended.map(({ bytesIn }) => bytesIn)).toEqual([frame.length / 2, frame.length / 2]);
});

test('reports a call that comes again while it runs as a repetition', async () => {
  const socket = await openSocket('REPORTED', 'running', 'e'.repeat(32));
  let heard = '';
  socket.addEventListener('message', ({ data }) => void (heard += String(data)));
  for (let time = 0; time < 2; time++) socket.send('[["awaits",1],[1,"addWhenOpened",[5]]]');
  socket.send('[["awaits",1],[2,"open"]]');
  await vi.waitUntil(() => heard.split('[1,5]').length === 3, { timeout: 50_000 });
  const again = { ...call('addWhenOpened'), replayed: true };
  expect(told.ended).toEqual([call('open'), call('addWhenOpened'), again]);
  socket.close();
});

describe('of an object that is served over a port', () => {
  class Clock {
    #open = (): void => {};

    fail(kind: string): never {
      throw kind === 'text' ? kind : kind === 'object' ? { name: 'RangeError' } : undefined;
    }

    wait(): Promise<void> {
      return new Promise((resolve) => (this.#open = resolve));
    }

    open(): void {
      this.#open();
    }

    time(): number {
      return 1;
    }
  }

  const entries = {
    fail: [Type.String()],
    wait: [],
    open: [],
    time: live(),
  };

  const serve = (options = {}): RawConnection =>
    openPort(new Clock(), compileContract(entries, options));
  const onCall = telling;

  test.each(['text', 'object', 'undefined'])(
    'reports a thrown value that is not an error: %s',
    async (kind) => {
      await serve({ onCall }).ask(`[1,"fail",["${kind}"]]`);
      const error = { text: kind, object: { name: 'RangeError' }, undefined }[kind];
      expect(told.ended).toEqual([{ ...portCall('Clock', 'fail', 'Error'), error }]);
    },
  );

  test('reports the milliseconds from the arrival of a call to its answer', async () => {
    let now = 5_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const port = serve({ onCall });
    await port.ask('["subscribe",1,null,"time"],[1,"wait"],[2,"time"]');
    now += 250;
    await port.ask('["awaits",1],[3,"open"]');
    await vi.waitUntil(() => told.ended.length === 4, { timeout: 50_000 });
    expect(told.ended.map(({ method, duration }) => [method, duration])).toEqual([
      ['time', 0],
      ['time', 0],
      ['open', 0],
      ['wait', 250],
    ]);
  });

  test('reports nothing without the option, and logs no error', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    await serve().ask('["subscribe",1,null,"time"],[1,"time"]');
    expect(complaints).not.toHaveBeenCalled();
  });
});
