/** The number of events and values that are sent ahead depends on the acknowledgements, and has a maximum. */
import { beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from './broadcaster/loops.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Returns the numbers of the events among the messages. */
const eventsIn = (messages: unknown[][]): unknown[] =>
  messages.filter(([kind]) => kind === 'next').map(([, , event]) => event);

const valuesIn = (messages: unknown[][]): unknown[] =>
  messages.filter(([kind]) => kind === 'value').map(([, , value]) => value);

describe('of a feed of 500 events, 64 are sent without an acknowledgement', () => {
  let instances = 0;

  async function begin(instance: string): Promise<RawConnection> {
    using client = worker.connect(instance);
    await client.sayAll(numbers(1, 500));
    const raw = await worker.raw(instance);
    const messages = await raw.exchange('["subscribe",1,"0.","events"]');
    expect(eventsIn(messages)).toEqual(numbers(1, 64));
    return raw;
  }

  test.each([
    { name: 'one event', ack: '["ack",1,1]', more: [65] },
    { name: 'half of the events', ack: '["ack",1,32]', more: numbers(65, 96) },
    { name: 'all events', ack: '["ack",1,64]', more: numbers(65, 128) },
    { name: 'one by one', ack: '["ack",1,1],["ack",1,2],["ack",1,3]', more: [65, 66, 67] },
    { name: 'backwards', ack: '["ack",1,3],["ack",1,2],["ack",1,1]', more: [65, 66, 67] },
    { name: 'again', ack: '["ack",1,2],["ack",1,2],["ack",1,2]', more: [65, 66] },
    { name: 'an event that was not sent', ack: '["ack",1,65]', more: [] },
    { name: 'an event that does not exist', ack: '["ack",1,501]', more: [] },
    { name: 'an event that will never exist', ack: '["ack",1,9007199254740991]', more: [] },
    { name: 'an event of another subscription', ack: '["ack",2,64]', more: [] },
    {
      name: 'an event that was sent, and then an event that was not sent',
      ack: '["ack",1,2],["ack",1,400]',
      more: [65, 66],
    },
  ])('and more are sent after an acknowledgement of $name', async ({ ack, more }) => {
    using raw = await begin(`feed ${++instances}`);
    expect(eventsIn(await raw.exchange(ack))).toEqual(more);
    const all = [...numbers(1, 64), ...more] as number[];
    const [resumed] = await raw.exchange(`["ack",1,${all.at(-1)}]`);
    expect(resumed?.slice(0, 3)).toEqual(['next', 1, all.length + 1]);
  });

  test('and no more are sent after a million acknowledgements of events that were not sent', async () => {
    using raw = await begin('million');
    using other = worker.connect('million');
    const wrong = Array.from({ length: 4_999 }, (_, index) => `["ack",1,${500 + index}]`);
    for (let frame = 0; frame < 200; frame++) {
      expect(await raw.exchange(`${wrong.join()}`)).toEqual([]);
      if (frame % 50 === 0) expect(await other.lives()).toBe(1);
    }
    expect(eventsIn(await raw.exchange('["ack",1,64]'))).toEqual(numbers(65, 128));
  });
});

test('a feed can have a window of its own, and a reader that falls behind it gets an error', async () => {
  using client = worker.connect('window');
  using raw = await worker.raw('window');
  const [subscribed] = await raw.exchange('["subscribe",1,null,"small"]');
  expect(subscribed).toEqual(['subscribed', 1, '0.', 4]);
  await client.saySmall(6);
  expect(eventsIn(await raw.exchange())).toEqual([1, 2, 3, 4]);
  expect(eventsIn(await raw.exchange('["ack",1,2]'))).toEqual([5, 6]);
  // The log drops the pages of these events.
  await client.saySmall(3_000);
  const messages = await raw.exchange('["ack",1,4]');
  expect(eventsIn(messages)).toEqual([]);
  expect(JSON.stringify(messages)).toMatch(/^\[\["complete",1,"error",.*CURSOR_EXPIRED/);
  expect(await raw.exchange('["ack",1,5]')).toEqual([]);
});

describe('of a live value, 16 changes are sent without an acknowledgement', () => {
  test.each([
    { ack: 1, more: 1 },
    { ack: 8, more: 8 },
    { ack: 16, more: 16 },
    { ack: Number.MAX_SAFE_INTEGER, more: 16 },
  ])(
    'and after an acknowledgement of $ack, the newest value and $more in all are sent',
    async ({ ack, more }) => {
      using raw = await worker.raw(`live ${ack}`);
      using client = worker.connect(`live ${ack}`);
      await raw.exchange('["subscribe",1,null,"getTopic"]');
      const change = async (from: number): Promise<void> => {
        for (const topic of numbers(from, from + 49)) await client.setTopic(`${topic}`);
      };
      await change(1);
      // The first value was sent at the start.
      expect(valuesIn(await raw.exchange())).toEqual(numbers(1, 15).map(String));
      expect(valuesIn(await raw.exchange(`["ack",1,${ack}]`))).toEqual(['50']);
      await change(51);
      expect(valuesIn(await raw.exchange())).toEqual(numbers(51, 49 + more).map(String));
    },
  );
});

describe('a reader that never reads', () => {
  const EVENTS = 50_000;
  const EACH = 500;
  let proxy: NetworkProxy;

  beforeAll(async () => {
    proxy = await new NetworkProxy(worker.runtime.port).listen();
    return () => proxy.close();
  });

  test('costs the object only its window, and other clients nothing', async () => {
    using client = worker.connect('never reads');
    const append = async (): Promise<number> => {
      const before = await client.rowsWritten();
      const events = Array.from({ length: EACH }, () => 'x'.repeat(1_000));
      for (let said = 0; said < EVENTS; said += EACH) await client.sayAll(events);
      await client.write('ann', 'done');
      return (await client.rowsWritten()) - before;
    };
    // This first round fills the log.
    await append();
    const alone = await append();
    const memory = await worker.runtime.memory();
    // The socket has no heartbeat, so that it stays open and silent.
    using stopped = worker.connect('never reads', { baseUrl: proxy.url, heartbeat: 1_000_000 });
    const events = subscribe(stopped).events();
    const loop = new Loop(events);
    await until(() => events.cursor !== undefined);
    proxy.silence('down');
    using other = worker.connect('never reads');
    const reading = new Loop(subscribe(other).inbox('ann'));
    await other.lives();
    expect(await append()).toBe(alone);
    const grown = (await worker.runtime.memory()) - memory;
    // The appended events would take 50 MB.
    expect(grown).toBeLessThan(40_000_000);
    expect(await reading.has(1)).toEqual(['done']);
    proxy.resume();
    await expect(loop.ended).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  });
});
