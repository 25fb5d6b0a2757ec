/** An object can sleep under hundreds of idle subscribers, and takes no more memory when it wakes. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { Loop } from './broadcaster/loops.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve(true);

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

/** With this number, the data that an object left behind when it sleeps would be more than a tenth of the heap. */
const SUBSCRIBERS = 400;

test('an object takes no more memory after it has slept', async () => {
  const clients = Array.from({ length: SUBSCRIBERS }, () => worker.connect('idle'));
  const events = clients.map((client) => new Loop(subscribe(client).events()));
  const topics = clients.map((client) => new Loop(subscribe(client).getTopic()));
  using writer = worker.connect('idle', { transport: 'http' });
  const round = async (count: number): Promise<number> => {
    for (let call = 1; call <= 10; call++) {
      await writer.sayOne(call);
      await writer.setTopic(`${count} ${call}`);
    }
    await Promise.all(events.map((loop) => loop.has(count * 10)));
    await until(() => topics.every(({ heard }) => heard.at(-1) === `${count} 10`));
    return worker.runtime.heap();
  };
  await Promise.all(clients.map((client) => client.lives()));
  // This round allocates what is allocated only once.
  await round(1);
  const before = await round(2);
  const lives = await writer.lives();
  await sleep(IDLE);
  const held = await round(3);
  expect(await writer.lives()).toBe(lives + 1);
  expect(held / before).toBeLessThan(1.1);
  for (const client of clients) client.close();
});
