/**
 * The calls of a tick share a frame and keep their order. A call that fails leaves its neighbours
 * alone.
 */
import {
  CALLS_IN_FLIGHT,
  CALLS_PER_FRAME,
  FRAME_SIZE,
  MANY_CALLS,
} from '../../../src/wire/limits.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { runsOf } from '../runs.ts';

export const batching: Case[] = [
  {
    name: 'a single call is one frame each way',
    async run(caller) {
      const { client, traffic } = caller.connect();
      equal(await client.add(1, 2), 3);
      equal(traffic.up, [[[1, 'add', [1, 2]]]]);
      equal(traffic.down, [[[1, 3]]]);
    },
  },
  {
    name: 'calls of one tick are one frame each way, before and after the connection opens',
    async run(caller) {
      const { client, traffic } = caller.connect();
      for (const frames of [1, 2]) {
        equal(await Promise.all([client.add(1, 1), client.run('a'), client.map('x')]), [
          2,
          undefined,
          'x',
        ]);
        equal([traffic.up.length, traffic.down.length], [frames, frames]);
      }
    },
  },
  {
    name: 'nothing connects before the first call, and concurrent first calls share a connection',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      await new Promise((resolve) => setTimeout(resolve, 0));
      equal(traffic.sockets.length, 0);
      await Promise.all([client.add(1, 1), client.add(2, 2)]);
      const first = client.add(3, 3);
      await new Promise((resolve) => setTimeout(resolve, 0));
      await Promise.all([first, client.add(4, 4)]);
      equal(traffic.sockets.length, 1);
    },
  },
  {
    name: 'arguments are copied when the call is made',
    async run(caller) {
      const { client } = caller.connect();
      const argument = { list: [1] };
      const calls = [client.map(argument), client.gather('user', client.add(1, 1), argument)];
      argument.list.push(2);
      equal(await Promise.all(calls), [{ list: [1] }, [2, { list: [1] }]]);
    },
  },
  {
    name: 'calls of different ticks are different frames',
    async run(caller) {
      const { client, traffic } = caller.connect();
      await client.run('a');
      await client.run('b');
      equal([traffic.up.length, traffic.down.length], [2, 2]);
    },
  },
  {
    name: 'calls of several functions in one tick share a frame',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const twice = async (base: number): Promise<number> => {
        const first = client.add(base, 1);
        return client.add(first, 1);
      };
      equal(await Promise.all([twice(1), twice(10)]), [3, 12]);
      equal([traffic.up.length, traffic.down.length], [1, 1]);
    },
  },
  {
    name: 'identical calls are separate calls',
    async run(caller) {
      const { client } = caller.connect();
      await Promise.all([client.run('same', 1), client.run('same', 1), client.run('same', 1)]);
      equal(await client.runs(), ['same', 'same', 'same']);
    },
  },
  {
    name: 'calls of one frame run in the order in which they were made',
    async run(caller) {
      const { client } = caller.connect();
      const names = Array.from({ length: 200 }, (_, index) => `call ${index}`);
      equal(await Promise.all(names.map((name) => client.run(name, name))), names);
      equal(await client.runs(), names);
    },
  },
  {
    name: 'frames run in the order in which they were sent',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      await client.add(0, 0);
      const names = Array.from({ length: 20 }, (_, index) => `call ${index}`);
      const calls: PromiseLike<unknown>[] = [];
      for (const name of names) {
        calls.push(client.run(name));
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      await Promise.all(calls);
      // On a slow machine many calls are unanswered, and further calls share a frame.
      equal(traffic.up.length > MANY_CALLS, true);
      equal(await client.runs(), names);
    },
  },
  {
    name: 'two clients of one object do not share answers',
    async run(caller) {
      const [one, two] = [caller.connect(), caller.connect()];
      const calls = [one.client.map('one'), two.client.map('two'), one.client.map('three')];
      equal(await Promise.all(calls), ['one', 'two', 'three']);
    },
  },
  {
    name: 'more calls than a frame may hold leave in several frames',
    isLarge: true,
    async run(caller) {
      const { client, traffic } = caller.connect();
      const calls = Array.from({ length: CALLS_PER_FRAME + 1 }, (_, index) => client.add(index, 1));
      const results = await Promise.all(calls);
      equal([results[0], results[CALLS_PER_FRAME]], [1, CALLS_PER_FRAME + 1]);
      equal(
        traffic.up.map((frame) => frame.filter(([id]) => typeof id === 'number').length),
        [CALLS_PER_FRAME, 1],
      );
    },
  },
  {
    name: 'more calls than may be in flight wait for their turn',
    isLarge: true,
    async run(caller) {
      const { client } = caller.connect();
      const calls = Array.from({ length: 1.2 * CALLS_IN_FLIGHT }, (_, index) =>
        client.add(index, 1),
      );
      const results = await Promise.all(calls);
      equal([results[0], results.at(-1)], [1, calls.length]);
    },
  },
  {
    name: 'more text than a frame may hold leaves in several frames',
    isLarge: true,
    async run(caller) {
      const { client, traffic } = caller.connect();
      const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(FRAME_SIZE * 0.36));
      equal(await Promise.all(texts.map((text) => client.map(text))), texts);
      equal(traffic.up.length, 2);
    },
  },
  {
    name: 'a call that is larger than a frame fails alone, and is not sent',
    isLarge: true,
    async run(caller) {
      const { client } = caller.connect();
      const most = 'x'.repeat(FRAME_SIZE - '[[1,"map",[""]]]'.length);
      const large = client.map(`${most}x`);
      const small = client.map('small');
      await rejects(large, {
        name: 'RpcError',
        code: 'LIMIT_EXCEEDED',
        message: 'frameSize is at most 4194304',
        maybeExecuted: undefined,
      });
      equal(await small, 'small');
      equal((await client.map(most)) === most, true);
    },
  },
  {
    name: 'calls that fail in different ways leave their neighbours alone',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const odd = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const failing = [
        [client.fail('TypeError'), { name: 'TypeError', message: 'type' }],
        [client.failLater('RangeError'), { name: 'RangeError', message: 'range' }],
        [client.add('x' as never, 1), { code: 'INVALID_ARGUMENTS', path: '[0]' }],
        [client.giveFunction(), { code: 'UNSERIALIZABLE', path: '.inner[0]' }],
        [client.giveFunctionLater(), { code: 'UNSERIALIZABLE', path: '.get("key")' }],
        [client.map({ a: [() => {}] }), { code: 'UNSERIALIZABLE', path: '[0].a[0]' }],
        [odd['nothing']?.(), { code: 'METHOD_NOT_FOUND' }],
      ] as const;
      const neighbours = [client.run('first', 1), client.runLater('second', 2)];
      await Promise.all(failing.map(([call, reason]) => rejects(call as Promise<never>, reason)));
      equal(await Promise.all(neighbours), [1, 2]);
      equal(traffic.up.length, 1);
      equal(await client.runs(), ['fail', 'failLater', 'first', 'second']);
    },
  },
  {
    name: 'an asynchronous method does not delay its neighbours',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const held = client.hold('held', 'late');
      equal(await client.add(1, 1), 2);
      equal(await client.release('held'), true);
      equal(await held, 'late');
      equal(traffic.up.length, 2);
      equal(traffic.down[0], [[2, 2]]);
    },
  },
  {
    name: 'over POST one response waits for every call of its frame',
    only: 'http',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const calls = [client.hold('held', 'late'), client.add(1, 1), client.release('held')];
      equal(await Promise.all(calls), ['late', 2, true]);
      equal([traffic.up.length, traffic.down.length], [1, 1]);
    },
  },
  {
    name: 'a malformed frame leaves the object and its clients alone',
    async run(caller) {
      const { client } = caller.connect();
      await client.run('before');
      for (const frame of ['', 'x', '{}', 'null', '[1]', '[["odd"]]', '[[0,"run"]]', '[[1]]']) {
        const [answer = []] = await caller.exchange(frame);
        check(answer.includes('error'), `${frame} was answered with ${JSON.stringify(answer)}`);
      }
      equal(await runsOf(client), ['before']);
    },
  },
];
