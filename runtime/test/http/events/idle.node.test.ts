/**
 * Followers while nothing happens: comments keep the response open, the object hibernates meanwhile, and the Worker
 * notices a follower that has gone. The tests run at the same time.
 */
import { describe, expect, test } from 'vitest';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { Following, serve } from './serve.ts';

const worker = await serve();

const follow = (path: string): Promise<Following> => Following.of(worker, `BOARD/${path}`);

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

describe.concurrent('while nothing happens', () => {
  test.concurrent.each([
    ['news', { n: 1 }],
    ['topic', 'changed'],
  ])('the object of %s hibernates, and wakes with an event', async (method, event) => {
    const instance = `asleep ${method}`;
    using client = worker.connect(instance, { transport: 'http' });
    const lives = await client.lives();
    using following = await follow(`${instance}/${method}`);
    if (method === 'topic') expect(await following.take(1)).toEqual(['']);
    for (let wait = IDLE; ; wait *= 2) {
      await sleep(wait);
      if ((await client.lives()) > lives) break;
    }
    await Promise.all([client.say(), client.setTopic('changed')]);
    expect(await following.take(1)).toEqual([event]);
    // The response has not begun again.
    expect(following.text.match(/^id: 0\.$/gm)?.length ?? 0).toBe(method === 'news' ? 1 : 0);
  });

  test.concurrent('comments arrive, which are not events', async () => {
    using following = await follow('comments/news');
    while (!/^:$/m.test(following.text)) expect(await following.read()).toBe(true);
    expect(following.text).toBe('id: 0.\n\n:\n\n');
  });

  test.concurrent('a follower that has gone leaves nothing in the object', async () => {
    using client = worker.connect('away');
    const all = await Promise.all(
      ['news', 'topic', 'work?name=a', 'tally'].map((path) => follow(`away/${path}`)),
    );
    await until(async () => (await client.followers()).length === 1 + all.length);
    for (const following of all) following.close();
    // The Worker notices this at the next comment at the latest.
    await until(async () => (await client.followers()).length === 1);
    expect(await client.notes()).toEqual(['a begins', 'a ends']);
  });
});
