/**
 * A call can take the result of a call that left in an earlier frame: one that has settled, one of
 * another client, or one without an answer yet.
 */
import type { RpcPromise } from '../../../src/client.ts';
import type { Case } from '../case.ts';
import { equal, rejects } from '../check.ts';
import { hasRun, runsOf } from '../runs.ts';

/** Waits until the calls of this tick have left. The object cannot have answered by then. */
async function nextTick(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await undefined;
}

const VALUE = { total: 7, parts: [1, { deep: 'x' }] };

export const earlierCalls: Case[] = [
  {
    name: 'a settled call stands for its result',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.run('source', VALUE);
      await source;
      equal(await client.gather('user', source, [source]), [VALUE, [VALUE]]);
      equal(await runsOf(client), ['source', 'user']);
    },
  },
  {
    name: 'a call that has failed fails the calls that use it later',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.fail('RangeError', 'source');
      await rejects(source);
      await rejects(client.gather('user', source), { message: 'range' });
      equal(await runsOf(client), ['source']);
    },
  },
  {
    name: 'a call of another client stands for its result, and fails with its failure',
    async run(caller) {
      const { client } = caller.connect();
      const other = caller.connect({ instance: `another ${Math.random()}` }).client;
      equal(await client.add(other.add(1, 2), other.map(10) as never), 13);
      await rejects(client.gather('user', other.fail('RangeError')), { message: 'range' });
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a call waits for the result of a call of an earlier tick',
    async run(caller) {
      const { client } = caller.connect();
      const held = client.hold('held', VALUE);
      await hasRun(client, 'held');
      const user = client.gather('user', held, [held]);
      const notHeldBack = client.add(1, 1);
      equal(await notHeldBack, 2);
      equal(await runsOf(client), ['held']);
      await client.release('held');
      equal(await user, [VALUE, [VALUE]]);
      equal(await runsOf(client), ['held', 'user']);
    },
  },
  {
    name: 'a call refers to a call of an earlier tick, so that both take one round trip',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      await client.add(1, 1);
      for (const method of ['run', 'runLater'] as const) {
        const before = traffic.up.length;
        const source = client[method]('source', VALUE);
        await nextTick();
        const user = client.gather('user', source, [source]);
        await nextTick();
        const user2 = client.gather('user 2', user);
        equal(await user2, [[VALUE, [VALUE]]]);
        equal(await user, [VALUE, [VALUE]]);
        equal(traffic.up.length - before, 3);
        equal((await client.runs()).slice(-3), ['source', 'user', 'user 2']);
      }
    },
  },
  {
    name: 'a call refers to a part of the result of an earlier tick',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const held = client.hold('held', VALUE) as RpcPromise<typeof VALUE>;
      await hasRun(client, 'held');
      const user = client.gather('user', held.parts[1] as never, held.total);
      await client.release('held');
      equal(await user, [{ deep: 'x' }, 7]);
      equal(JSON.stringify(traffic.up).split('"Call"').length, 3);
    },
  },
  {
    name: 'a call whose input failed in an earlier tick fails with the same error, and does not run',
    async run(caller) {
      const { client } = caller.connect();
      const failed = client.failLater('RangeError', 'failed');
      await nextTick();
      await Promise.all(
        [client.gather('user', failed), failed].map((call) => rejects(call, { message: 'range' })),
      );
      equal(await runsOf(client), ['failed']);
    },
  },
  {
    name: 'a call that refers to a result that the object has forgotten is sent again, and runs once',
    // Over a port, the answer arrives before the next tick.
    only: 'socket',
    async run(caller) {
      const { client, traffic } = caller.connect();
      // The journal has no `readonly` methods, and keeps no long answers.
      await client.run('x'.repeat(3_000));
      for (const round of [0, 1, 2]) {
        const runs = client.runs();
        await nextTick();
        const user = client.gather(`user ${round}`, runs.length);
        const end = client.gather(`end ${round}`, user, client.add(1, 1));
        const meanwhile = client.run(`meanwhile ${round}`);
        equal(await end, [[3 * round + 1], 2]);
        equal(await user, [3 * round + 1]);
        await meanwhile;
      }
      equal(JSON.stringify(traffic.down).split('[-').length, 7);
      equal((await runsOf(client)).length, 10);
    },
  },
  {
    name: 'a call that waits keeps its other arguments as they were when it was made',
    async run(caller) {
      const { client } = caller.connect();
      const held = client.hold('held', 1);
      await hasRun(client, 'held');
      const argument = { list: [1] };
      const user = client.gather('user', held, argument);
      argument.list.push(2);
      await client.release('held');
      equal(await user, [1, { list: [1] }]);
    },
  },
  {
    name: 'a chain on an unanswered call waits for it in order',
    async run(caller) {
      const { client } = caller.connect();
      const held = client.hold('held', 1);
      await hasRun(client, 'held');
      const end = client.gather('end', client.gather('middle', held));
      await client.release('held');
      equal(await end, [[1]]);
      equal(await client.runs(), ['held', 'middle', 'end']);
    },
  },
];
