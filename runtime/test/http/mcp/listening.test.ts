/** A client listens and does not read. The Worker holds no more for it than the client has requested. */
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { Listening } from '../../../src/http/mcp/listening.ts';
import { compileContract, live } from '../../../src/server.ts';

const RESOURCE = {
  method: 'getValue',
  resource: { uri: 'live:getValue', name: 'getValue' },
};

test('a notification waits until the notification before it was read', async () => {
  const stub = env.COUNTER.getByName('listening');
  const contract = compileContract({ getValue: live() });
  const url = new URL('https://example.com/__rpc/COUNTER/listening/mcp');
  const reached = { forwarded: new Request(url), target: stub };
  const object = {
    ...reached,
    url,
    caller: {},
    binding: 'COUNTER',
    contract,
    reachAgain: () => Promise.resolve(reached),
  };
  const message = {
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: ['live:getValue', 'live:other'] } },
  };
  let ended = 0;
  const listening = new Listening(object, message, new Map([['live:getValue', RESOURCE]]), () => {
    ended++;
    return Promise.resolve();
  });
  expect(listening.message).toMatchObject({
    params: { notifications: { resourceSubscriptions: ['live:getValue'] } },
  });

  // This stream writes each notification at once, as the SDK does.
  let count = 0;
  let unsubscribe = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      unsubscribe = listening.subscribe(() => {
        count++;
        controller.enqueue(new Uint8Array([count]));
      });
    },
    cancel: () => unsubscribe(),
  });
  const reader = listening.paced(new Response(body)).body?.getReader();
  if (!reader) throw new Error('The response has no body');

  // The stream requests one item before it is read.
  await expect.poll(() => count).toBe(1);
  for (let changes = 0; changes < 50; changes++) await stub.increment(1);
  expect(count).toBe(1);
  for (const read of [1, 2, 3]) {
    await stub.increment(1);
    expect(await reader.read()).toMatchObject({ value: new Uint8Array([read]) });
    expect(count).toBeLessThanOrEqual(read + 1);
  }
  await reader.cancel();
  await expect.poll(() => ended).toBe(1);
});
