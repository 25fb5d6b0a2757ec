/** Volatile methods, and calls that a newer call replaces. */
import { latest } from '../../../src/client.ts';
import type { Case } from '../case.ts';
import { equal, rejects } from '../check.ts';
import { hasRun } from '../runs.ts';

export const newest: Case[] = [
  {
    name: 'a volatile method runs once for each call',
    async run(caller) {
      const { client } = caller.connect();
      equal(await Promise.all([client.pass('a', 1), client.pass('b', 2)]), [1, 2]);
      equal(await client.passed(), ['a', 'b']);
      await rejects(client.pass(5 as never), { code: 'INVALID_ARGUMENTS', path: '[0]' });
      equal(await client.passed(), ['a', 'b']);
    },
  },
  {
    name: 'of the calls of a tick, only the newest is sent',
    async run(caller) {
      const { client } = caller.connect();
      const newestOf = latest(client);
      const calls = [newestOf.pass('a', 1), client.pass('b', 2), newestOf.pass('c', 3)];
      equal(await Promise.all(calls), [undefined, 2, 3]);
      equal(await client.passed(), ['b', 'c']);
    },
  },
  {
    name: 'a newer call replaces a running call',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const first = latest(client).hold('first', 1);
      await hasRun(client, 'first');
      const second = latest(client).hold('second', 2);
      equal(await first, undefined);
      await hasRun(client, 'second');
      await client.release('second');
      equal(await second, 2);
      equal(await client.release('first'), true);
    },
  },
  {
    name: 'over HTTP, the newest call waits for a running call',
    only: 'http',
    async run(caller) {
      const { client } = caller.connect();
      const first = latest(client).hold('first', 1);
      await hasRun(client, 'first');
      const second = latest(client).hold('second', 2);
      const third = latest(client).hold('third', 3);
      equal(await second, undefined);
      equal(await client.runs(), ['first']);
      await client.release('first');
      equal(await first, 1);
      await hasRun(client, 'third');
      await client.release('third');
      equal(await third, 3);
      equal(await client.runs(), ['first', 'third']);
    },
  },
];
