/**
 * Events and values of an asynchronous transaction are sent when it has ended, and are not sent if it is rolled
 * back.
 */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import type { RawConnection } from '../../support/raw-connection.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

/** Returns the events and values that have arrived after all calls have ended. */
async function newsOf(raw: RawConnection): Promise<unknown[]> {
  // The object's messages after a turn arrive before the answer of the second call.
  const messages = [...(await raw.exchange()), ...(await raw.exchange())];
  return messages.filter(([kind]) => kind === 'next' || kind === 'value' || kind === 'complete');
}

describe.each([
  ['that its method awaits', 'sayInTransaction'],
  ['that its method does not await', 'beginTransaction'],
  ['in an alarm', 'transactInAlarm'],
] as const)('a transaction %s', (name, method) => {
  test.each([
    ['ends', false],
    ['is rolled back', true],
  ])('%s', async (end, fails) => {
    const instance = `${name} ${end}`;
    using client = worker.connect(instance);
    using raw = await worker.raw(instance);
    await raw.exchange('["subscribe",1,null,"events"],["subscribe",2,null,"getTopic"]');
    await client.sayOne('before');
    expect(await newsOf(raw)).toEqual([['next', 1, 1, 'before']]);

    const call = client[method]('transacted', fails);
    if (fails && method === 'sayInTransaction') await expect(call).rejects.toThrow('rolled back');
    else await call;
    if (method === 'transactInAlarm') await until(() => client.transacted());
    const sent = [
      ['next', 1, 2, 'transacted'],
      ['value', 2, 'transacted'],
    ];
    expect(await newsOf(raw)).toEqual(fails ? [] : sent);

    await client.sayOne('after');
    await client.setTopic('after');
    expect(await newsOf(raw)).toEqual([
      ['next', 1, fails ? 2 : 3, 'after'],
      ['value', 2, 'after'],
    ]);
  });
});
