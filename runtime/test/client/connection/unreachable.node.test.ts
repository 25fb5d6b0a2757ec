/** No server answers: the error that the caller gets, and when. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../../harness/ports.mjs';
import { until } from '../../../../harness/waiting.mjs';
import { withOptions } from '../../../src/client.ts';
import { movableClock } from '../../support/clock.ts';
import { answerWith, ignore, Stub, upgradeOnly } from '../../served/stub.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Default } from '../../served/worker.ts';
import { Watched } from '../../support/watched.ts';

afterEach(() => void vi.restoreAllMocks());

/** This timeout is longer than any test, so such a call times out only when the clock is moved. */
const LONG = 600_000;

/** Moves the clock, and makes a call time out, so that the client checks the timeouts of all calls. */
async function timeOut({ client }: Watched<Default>): Promise<void> {
  movableClock().ahead = LONG;
  await failureOf(withOptions(client, { timeout: 1 }).add());
}

/** Returns the codes or names of an error and its causes, from the call to the network. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code = error.name } = error as { code?: string };
  return [code, ...causesOf(error.cause)];
}

describe.each(['websocket', 'http'] as const)('nothing listens, over %s', (transport) => {
  test('the first failure is reported at once, and a timeout has the last failure', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const address = `${baseUrl}/__rpc/DEFAULT/nobody/call`;
    using watched = new Watched<Default>('DEFAULT', 'nobody', { baseUrl, transport });
    const call = failureOf(withOptions(watched.client, { timeout: 500 }).add());
    const reason = `TypeError: fetch failed (CORS or Content Security Policy? ${address})`;
    expect(await watched.next('reconnecting')).toMatchObject({
      attempt: 1,
      reason,
      error: { code: 'DISCONNECTED', cause: expect.any(TypeError) },
    });
    const error = await call;
    expect(error).toMatchObject({ code: 'TIMEOUT', maybeExecuted: transport === 'http' });
    expect(error.message).toMatch(/^add timed out after 500 ms: TypeError: /);
    expect(error.message).toContain(reason);
    expect(causesOf(error)).toEqual(['TIMEOUT', 'DISCONNECTED', 'TypeError', 'ECONNREFUSED']);
  });

  test('a call rejects with the last failure in less than 10 s, and the client goes on', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    using watched = new Watched<Default>('DEFAULT', 'nobody', { baseUrl, transport });
    const call = failureOf(watched.client.add());
    await watched.next('reconnecting');
    movableClock().ahead = 8_000;
    const error = await call;
    expect(error).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: transport === 'http' });
    expect(causesOf(error)).toEqual(['DISCONNECTED', 'TypeError', 'ECONNREFUSED']);
    await watched.next('reconnecting');
    using stub = await new Stub(answerWith(401, 'log in')).listen(Number(new URL(baseUrl).port));
    expect(await failureOf(watched.client.add())).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(stub.accepted).toBeGreaterThan(0);
  });
});

describe.each(['websocket', 'http'] as const)('a server that is too busy, over %s', (transport) => {
  test.each([429, 503])('that answers %i is reported with its address', async (status) => {
    using stub = await new Stub(answerWith(status, 'later')).listen();
    using watched = new Watched<Default>('DEFAULT', 'busy', { baseUrl: stub.url, transport });
    const patient = failureOf(watched.client.add());
    const told = `The server answered ${status}: later (${stub.url}/__rpc/DEFAULT/busy/call)`;
    expect(await watched.next('reconnecting')).toMatchObject({ attempt: 1, reason: told });
    const error = await failureOf(withOptions(watched.client, { timeout: 1 }).add());
    expect(error.message).toBe(`add timed out after 1 ms: ${told}`);
    expect(causesOf(error)).toEqual(['TIMEOUT', 'UNAVAILABLE']);
    movableClock().ahead = 8_000;
    expect(await patient).toMatchObject({ code: 'UNAVAILABLE', status, message: told });
  });
});

test.each(['websocket', 'http'] as const)(
  'an object that cannot be created, over %s, rejects the call at its second answer',
  async (transport) => {
    using stub = await new Stub(answerWith(501, 'The object failed')).listen();
    using watched = new Watched<Default>('DEFAULT', 'failing', { baseUrl: stub.url, transport });
    const failure = failureOf(watched.client.add());
    // A method may have broken the object, which is then created again.
    for (const attempt of [1, 2]) {
      expect(await watched.next('reconnecting')).toMatchObject({ attempt });
    }
    expect(await failure).toMatchObject({
      code: 'UNAVAILABLE',
      status: 501,
      message: `The server answered 501: The object failed (${stub.url}/__rpc/DEFAULT/failing/call)`,
      maybeExecuted: transport === 'http',
    });
    // Subscriptions wait, so the client goes on. Over HTTP, a client without a call sends nothing.
    if (transport === 'websocket') {
      expect(await watched.next('reconnecting')).toMatchObject({ attempt: 3 });
    }
  },
);

test('a server that does not answer the upgrade is reported with its address', async () => {
  using stub = await new Stub(ignore).listen();
  using watched = new Watched<Default>('DEFAULT', 'mute', {
    baseUrl: stub.url,
    connectTimeout: 50,
  });
  const call = failureOf(withOptions(watched.client, { timeout: LONG }).add());
  const reason = `no answer from ${stub.url}/__rpc/DEFAULT/mute/call`;
  expect(await watched.next('reconnecting')).toMatchObject({ reason });
  movableClock().ahead = 8_000;
  expect(await call).toMatchObject({ code: 'DISCONNECTED', message: reason });
});

test('a connected server that does not answer the call is reported with its address', async () => {
  using stub = await new Stub(upgradeOnly).listen();
  using watched = new Watched<Default>('DEFAULT', 'slow', {
    baseUrl: stub.url,
    heartbeat: Infinity,
  });
  const call = failureOf(withOptions(watched.client, { timeout: LONG }).add());
  await until(() => watched.sockets[0]?.sent.length === 1);
  await timeOut(watched);
  const error = await call;
  const address = `${stub.url}/__rpc/DEFAULT/slow/call`;
  expect(error.message).toBe(`add timed out after 600000 ms: no answer from ${address}`);
  expect(error.cause).toBeUndefined();
});
