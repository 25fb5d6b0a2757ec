/**
 * A page of the new deployment meets an object that still runs the old code, and the reverse: which calls fail, and
 * which calls wait until the object has the new code.
 */
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { Runtime } from '../../../../harness/runtime.ts';
import type { WorkerOptions } from '../../../../harness/runtime/worker-bundle.ts';
import { until } from '../../../../harness/waiting.mjs';
import {
  awaitMethods,
  callback,
  type RpcClientOptions,
  subscribe,
  withOptions,
} from '../../../src/client.ts';
import { Loop } from '../../features/subscriptions/broadcaster/loops.ts';
import { movableClock } from '../../support/clock.ts';
import { failureOf } from '../../support/failure-of.ts';
import { Watched } from '../../support/watched.ts';
import type { Tally } from './next-worker.ts';

const from = (file: string): WorkerOptions => ({
  config: {
    main: join(import.meta.dirname, file),
    bindings: { TALLY: 'Tally', UNJOURNALED: 'Unjournaled' },
  },
});
const OLD = from('worker.ts');
const NEXT = from('next-worker.ts');

const server = await Runtime.serve(OLD);
afterAll(() => server.stop());

let instance = '';
let instances = 0;
const warn = vi.spyOn(console, 'warn');

beforeEach(async () => {
  instance = `object ${++instances}`;
  warn.mockReset().mockReturnValue();
});

/** Connects a client that waits for methods. It is closed when the test ends. */
function open(options: RpcClientOptions = {}, binding = 'TALLY'): Watched<Tally> {
  const baseUrl = server.url;
  const watched = new Watched<Tally>(binding, instance, { baseUrl, awaitMethods, ...options });
  onTestFinished(() => watched.client.close());
  return watched;
}

/** Returns how often a method was sent. */
function timesSent({ sockets }: Watched<Tally>, method: string): number {
  return (
    sockets
      .flatMap(({ sent }) => sent)
      .join()
      .split(`"${method}"`).length - 1
  );
}

/** True if no attempt is under way. A call that ends during an attempt may have run, as far as its client knows. */
function isRefused(watched: Watched<Tally>, method: string): boolean {
  const answers = watched.sockets.flatMap(({ received }) => received).join();
  return answers.split('"METHOD_NOT_FOUND"').length - 1 === timesSent(watched, method);
}

const missing = { code: 'METHOD_NOT_FOUND' };
/** The contract of the old object has no subscriptions. */
const unsupported = { code: 'UNSUPPORTED' };

describe('two versions of a Worker behind one address', () => {
  test('pages and objects of both versions meet each other', async () => {
    await using next = await Runtime.serve(NEXT);
    const address = await new NetworkProxy(server.port).listen();
    const baseUrl = address.url;
    onTestFinished(() => address.close());
    const { client: old } = open({ baseUrl, awaitMethods: undefined });
    const { client: page } = open({ baseUrl, awaitMethods: undefined });
    const patient = open({ baseUrl });
    expect(await old.add(1)).toBe(1);
    expect(await page.add(1)).toBe(2);
    expect(await failureOf(page.double())).toMatchObject(missing);
    expect(await failureOf(page.add(1, 2))).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await failureOf(new Loop(subscribe(page).current()).ended)).toMatchObject(unsupported);
    const doubled = patient.client.double();
    const live = new Loop(subscribe(patient.client).current());
    await until(() => timesSent(patient, 'double') > 1 && timesSent(patient, 'current') > 1);
    // A wrong argument may stay wrong, so the call does not wait.
    expect(await failureOf(patient.client.add(1, 2))).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    address.port = next.port;
    address.cutAll('reset');
    expect(await doubled).toBe(0);
    expect(await old.add(3)).toBe(3);
    expect(await page.double()).toBe(6);
    await until(() => live.heard.at(-1) === 6);
    expect(warn.mock.calls.map(([text]) => text as string).toSorted()).toEqual([
      expect.stringMatching(/^The client waits for a deployment: .*subscriptions/),
      expect.stringMatching(/^The client waits for a deployment: .*double/),
    ]);
  });
});

describe('a deployment', () => {
  beforeEach(() => server.deploy(OLD));

  test.each(['websocket', 'http'] as const)(
    'lets a call wait, and other calls go on: %s',
    async (transport) => {
      const { client } = open({ transport });
      const doubled = client.double();
      expect(await client.add(2)).toBe(2);
      await until(() => warn.mock.calls.length === 1);
      expect(await client.add(3)).toBe(5);
      await server.deploy(NEXT);
      expect(await doubled).toBe(10);
      expect(await client.count()).toBe(10);
    },
  );

  test('lets calls wait that take the result of a waiting call, of its frame and of a later frame', async () => {
    const watched = open();
    const { client } = watched;
    await client.add(1);
    const doubled = client.double();
    const added = client.add(doubled);
    await until(() => timesSent(watched, 'double') > 1);
    const later = client.add(added);
    const other = open();
    const elsewhere = other.client.add(added);
    expect(await client.count()).toBe(1);
    const sent = timesSent(watched, 'add');
    await until(() => timesSent(watched, 'double') > 2);
    // The call is not sent again and again by itself.
    expect(timesSent(watched, 'add')).toBeLessThan(sent + 5);
    await server.deploy(NEXT);
    expect([await doubled, await added]).toEqual([2, 4]);
    // The two calls may run in either order. Each adds 4.
    expect([await later, await elsewhere].toSorted((one, two) => one - two)).toEqual([8, 12]);
    expect(await client.count()).toBe(12);
  });

  test('can bring a feature that the object lacked, for a function and a live value', async () => {
    const { client } = open();
    const asked: string[] = [];
    const answer = client.ask(callback((text: string) => asked.push(text)));
    const live = new Loop(subscribe(client).current());
    await until(() => warn.mock.calls.length === 2);
    await server.deploy(NEXT);
    expect(await answer).toBe(1);
    expect(asked).toEqual(['how many']);
    await until(() => live.heard.at(-1) === 1);
  });

  test('can come while connections are lost, and the waiting call runs once', async () => {
    const address = await new NetworkProxy(server.port).listen();
    onTestFinished(() => address.close());
    const watched = open({ baseUrl: address.url });
    const { client } = watched;
    await client.add(1);
    const doubled = client.double();
    for (let lost = 1; lost <= 5; lost++) {
      await until(() => timesSent(watched, 'double') >= lost);
      address.cutAll('reset');
    }
    await server.deploy(NEXT);
    // The answer is lost, too.
    void address.cutAfter(200, 'down', 'reset');
    expect(await doubled).toBe(2);
    expect(await client.count()).toBe(2);
  });
});

describe('without a deployment', () => {
  beforeEach(() => server.deploy(OLD));

  test('a call rejects with the error of the object when its time is over', async () => {
    const clock = movableClock();
    const watched = open();
    const { client } = watched;
    const doubled = withOptions(client, { timeout: 60_000 }).double();
    const added = client.add(doubled);
    await until(() => timesSent(watched, 'double') > 1);
    clock.ahead = 59_500;
    expect(await failureOf(doubled)).toMatchObject(missing);
    expect(await failureOf(added)).toMatchObject(missing);
    expect(await client.count()).toBe(0);
  });

  test('a call rejects at once without the time for another attempt', async () => {
    const watched = open();
    const call = withOptions(watched.client, { timeout: 900 }).double();
    const { code } = await failureOf(call);
    // On a machine that is too slow for the answer, the time is over first.
    expect(['METHOD_NOT_FOUND', 'TIMEOUT']).toContain(code);
    expect(timesSent(watched, 'double')).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  });

  test('a subscription rejects after ten minutes', async () => {
    const clock = movableClock();
    const watched = open();
    const live = new Loop(subscribe(watched.client).current());
    await until(() => timesSent(watched, 'current') > 1);
    clock.ahead = 600_000;
    expect(await failureOf(live.ended)).toMatchObject(unsupported);
  });

  test('an aborted call and a closed client have run nothing', async () => {
    const watched = open();
    const { client } = watched;
    const controller = new AbortController();
    const aborted = withOptions(client, { signal: controller.signal }).double();
    await until(() => timesSent(watched, 'double') > 1 && isRefused(watched, 'double'));
    controller.abort();
    expect(await failureOf(aborted)).toMatchObject({ code: 'ABORTED', maybeExecuted: false });
    const closed = client.double();
    await until(() => timesSent(watched, 'double') > 3 && isRefused(watched, 'double'));
    client.close();
    expect(await failureOf(closed)).toMatchObject({ code: 'CLOSED', maybeExecuted: false });
  });

  test.each([
    ['TALLY', 'forward'],
    ['TALLY', 'forwardLater'],
    ['UNJOURNALED', 'forward'],
    ['UNJOURNALED', 'forwardLater'],
  ] as const)('%s.%s, a method that throws such an error has run once', async (binding, name) => {
    const watched = open({}, binding);
    const client = watched.client as unknown as Record<string, () => Promise<unknown>>;
    const failure = await failureOf(client[name]!());
    expect(failure).toMatchObject({ ...missing, maybeExecuted: true });
    expect(await client['count']!()).toBe(1);
    expect(timesSent(watched, name)).toBe(1);
  });
});

test('a client without the option does not wait', async () => {
  await server.deploy(OLD);
  const watched = open({ awaitMethods: undefined });
  expect(await failureOf(watched.client.double())).toMatchObject(missing);
  expect(timesSent(watched, 'double')).toBe(1);
});
