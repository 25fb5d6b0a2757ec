/** Messages that are not frames of this protocol, and frames with a rejection. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../../src/client.ts';
import { RpcError } from '../../../src/wire/errors.ts';
import { encodeRejection } from '../../../src/wire/messages.ts';
import { until } from '../../../../harness/waiting.mjs';
import { serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';
import { answerWith, Stub } from '../../served/stub.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `object ${++instances}`;
});

const watch = (options: RpcClientOptions = {}): Watched<Default> => worker.watch(instance, options);

const REFUSAL = `[${encodeRejection(new RpcError('LIMIT_EXCEEDED', 'frameSize is at most'))}]`;

describe('a class that sends to all its sockets', () => {
  test.each([
    'hello',
    '',
    '{"type":"chat","text":"[[1,2]]"}',
    '["error","boom"]',
    '[["error","boom"]]',
    '[["error"]]',
    '[["error",[5]]]',
    '[["error",[["Error","TypeError","TypeError","not ours",[],{}]]]]',
    '[[999,"error",[[7]]]]',
    '[["odd",1]]',
    '[[]]',
    '[1,2,3]',
    'null',
    '[[',
  ])('can send %j without harm', async (text) => {
    using watched = watch();
    using other = watch({ transport: 'http' });
    const { client } = watched;
    expect(await client.add()).toBe(1);
    const call = client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 2);
    await other.client.broadcast(text);
    await other.client.broadcastBytes(text);
    await until(() => (watched.sockets[0]?.received.length ?? 0) > 2);
    await other.client.openGate('gate');
    expect(await call).toBe(12);
    expect(await client.add()).toBe(13);
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  });
});

test('an answer that cannot be decoded rejects its own call', async () => {
  using watched = watch();
  using other = watch({ transport: 'http' });
  const { client } = watched;
  const unread = failureOf(client.wait('one'));
  const read = client.wait('two');
  await until(() => watched.sockets[0]?.sent.length === 1);
  await other.client.broadcast('[[1,"rich",[["NoSuchTag",1]]]]');
  expect((await unread).code).toBe('BAD_MESSAGE');
  await other.client.openGate('two');
  expect(await read).toBe('two');
});

describe('the rejection of a frame', () => {
  test('rejects the calls that were sent, and no other calls', async () => {
    using watched = watch();
    using first = worker.watch(`${instance} of another`);
    using other = watch({ transport: 'http' });
    const { client } = watched;
    expect(await client.add()).toBe(1);
    const sent = [failureOf(client.wait('never')), failureOf(client.wait('never'))];
    const input = first.client.wait('gate');
    // This call waits for the result of another client.
    const unsent = client.length(input);
    await until(() => watched.sockets[0]?.sent.length === 2);
    await other.client.broadcast(REFUSAL);
    for (const call of sent) {
      expect(await call).toMatchObject({ code: 'LIMIT_EXCEEDED', maybeExecuted: true });
    }
    await first.client.openGate('gate');
    expect(await unsent).toBe(4);
    expect(await client.add()).toBe(2);
  });

  test('by the object itself leaves later calls alone', async () => {
    using watched = worker.watch(instance, {}, 'SMALL');
    const { client } = watched;
    const large = client.length('x'.repeat(2_000));
    const user = failureOf(client.plus(large, 1));
    expect((await failureOf(large)).code).toBe('LIMIT_EXCEEDED');
    expect((await user).code).toBe('LIMIT_EXCEEDED');
    expect(await client.add()).toBe(1);
  });
});

test('over HTTP, a body that is not a frame is no answer, so the call is sent again', async () => {
  using stub = await new Stub(answerWith(200, '{"error":"sign in first"}')).listen();
  using watched = watch({ transport: 'http', baseUrl: stub.url });
  const call = failureOf(watched.client.count());
  expect(await watched.next('reconnecting')).toMatchObject({
    error: { code: 'BAD_RESPONSE', status: 200, message: expect.stringContaining('sign in') },
  });
  watched.client.close();
  expect((await call).code).toBe('CLOSED');
});
