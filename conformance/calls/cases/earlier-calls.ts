/** Inputs that do not leave with the call: settled ones, another client's, and those under way. */
import type { Case } from '../case.ts';
import { equal, rejects } from '../../support/check.ts';
import { hasRun, runsOf } from '../runs.ts';

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
    name: 'a call that has failed fails those that use it later',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.fail('RangeError', 'source');
      await rejects(source);
      await rejects(client.gather('user', source), { message: 'range' });
      equal(await runsOf(client), ['source']);
    },
  },
  {
    name: "another client's call stands for its result, and fails with its failure",
    async run(caller) {
      const { client } = caller.connect();
      const other = caller.connect({ instance: `another ${Math.random()}` }).client;
      equal(await client.add(other.add(1, 2), other.map(10) as never), 13);
      await rejects(client.gather('user', other.fail('RangeError')), { message: 'range' });
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a call of an earlier tick that is still under way is waited for',
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
    name: 'the other arguments of a call that waits are those of when it was made',
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
    name: 'a chain on a call that is still under way is waited for in order',
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
