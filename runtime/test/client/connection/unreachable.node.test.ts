/** Nobody answers: what the caller and whoever develops the caller learn, and when. */
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { freePort } from '../../../../harness/ports.mjs';
import { until } from '../../../../harness/waiting.mjs';
import { withOptions } from '../../../src/client.ts';
import { movableClock } from '../../support/clock.ts';
import { answerWith, closeWith, ignore, Stub, upgradeOnly } from '../../served/stub.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Default } from '../../served/worker.ts';
import { Watched } from '../../support/watched.ts';

let warn: MockInstance<typeof console.warn>;

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => void vi.restoreAllMocks());

/** Longer than any test takes: such a call times out when the clock is moved. */
const LONG = 600_000;

/** Moves the clock on, and has a call time out, and thereby the client look at the timeouts of all calls. */
async function timeOut({ client }: Watched<Default>): Promise<void> {
  movableClock().ahead = LONG;
  await failureOf(withOptions(client, { timeout: 1 }).add());
}

/** What is known of each error, from the call to the network. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code = error.name } = error as { code?: string };
  return [code, ...causesOf(error.cause)];
}

describe.each(['websocket', 'http'] as const)('nothing listens, over %s', (transport) => {
  test('the first failure is told at once, and the timeout names the last', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const address = `${baseUrl}/__rpc/DEFAULT/nobody/call`;
    using watched = new Watched<Default>('DEFAULT', 'nobody', { baseUrl, transport });
    const call = failureOf(withOptions(watched.client, { timeout: LONG }).add());
    expect(await watched.next('reconnecting')).toMatchObject({
      attempt: 1,
      reason: 'TypeError: fetch failed',
      error: { code: 'DISCONNECTED', cause: expect.any(TypeError) },
    });
    const told = `no answer from ${address}, attempt 1: TypeError: fetch failed. Is the Worker running?`;
    expect(warn.mock.calls).toEqual([[told]]);
    await watched.next('reconnecting');
    await timeOut(watched);
    const error = await call;
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      maybeExecuted: transport === 'http',
      message: expect.stringMatching(/^add timed out after 600000 ms: no answer from /),
    });
    expect(error.message).toContain(address);
    expect(error.message).toMatch(/, attempt \d+: TypeError: fetch failed$/);
    expect(causesOf(error)).toEqual(['TIMEOUT', 'DISCONNECTED', 'TypeError', 'ECONNREFUSED']);
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe.each(['websocket', 'http'] as const)('a server that is too busy, over %s', (transport) => {
  test.each([429, 503])('and answers %i: its address is told once', async (status) => {
    using stub = await new Stub(answerWith(status, 'later')).listen();
    using watched = new Watched<Default>('DEFAULT', 'busy', { baseUrl: stub.url, transport });
    failureOf(watched.client.add()).catch(() => {});
    const told = `The server answered ${status}: later (${stub.url}/__rpc/DEFAULT/busy/call)`;
    expect(await watched.next('reconnecting')).toMatchObject({ attempt: 1, reason: told });
    expect(warn.mock.calls).toEqual([[`attempt 1: ${told}. Is the Worker running?`]]);
    const error = await failureOf(withOptions(watched.client, { timeout: 1 }).add());
    const [, tried, rest] =
      /^add timed out after 1 ms: (attempt \d+: )(.*)$/.exec(error.message) ?? [];
    expect(tried).toBeDefined();
    expect(rest).toBe(told);
    expect(causesOf(error)).toEqual(['TIMEOUT', 'UNAVAILABLE']);
  });
});

test('a server that does not answer the upgrade', async () => {
  using stub = await new Stub(ignore).listen();
  using watched = new Watched<Default>('DEFAULT', 'mute', {
    baseUrl: stub.url,
    connectTimeout: 50,
  });
  const call = failureOf(withOptions(watched.client, { timeout: LONG }).add());
  await watched.next('reconnecting');
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('attempt 1: Cannot connect. Is the Worker running?')],
  ]);
  await timeOut(watched);
  expect((await call).message).toMatch(/mute\/call, attempt \d+: Cannot connect$/);
});

test('a connected server that does not answer the call', async () => {
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
  expect(warn).not.toHaveBeenCalled();
});

test('a connection that is lost once it has been there is no news for the console', async () => {
  using stub = await new Stub(closeWith(1012, '')).listen();
  using watched = new Watched<Default>('DEFAULT', 'restarted', { baseUrl: stub.url });
  failureOf(watched.client.add()).catch(() => {});
  for (let round = 0; round < 3; round++) await watched.next('reconnecting');
  expect(warn).not.toHaveBeenCalled();
});

test("a server elsewhere is no news for the console, which may be a visitor's", async () => {
  using watched = new Watched<Default>('DEFAULT', 'elsewhere', {
    baseUrl: 'https://api.example',
    transport: 'http',
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  });
  const call = failureOf(withOptions(watched.client, { timeout: 500 }).add());
  await watched.next('reconnecting');
  expect((await call).message).toContain('https://api.example/__rpc/DEFAULT/elsewhere/call');
  expect(warn).not.toHaveBeenCalled();
});
