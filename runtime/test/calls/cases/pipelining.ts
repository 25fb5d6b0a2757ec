/**
 * A call uses the results of calls that have no answer yet. Each call runs exactly once, whatever
 * the caller does with it.
 */
import type { RpcClient } from '../../../src/client.ts';
import { CALLS_PER_FRAME } from '../../../src/wire/limits.ts';
import type { Hibernating } from '../../worker.ts';
import type { Case } from '../case.ts';
import { equal, rejects } from '../check.ts';
import { hasRun, runsOf } from '../runs.ts';

type Client = RpcClient<Hibernating>;
type Source = PromiseLike<unknown>;

const VALUE = { total: 7, parts: [1, { deep: 'x' }] };

/**
 * The arguments that each use makes of a call, and the arguments that the method has to receive.
 */
const uses: [name: string, (value: unknown) => unknown[]][] = [
  ['an argument', (value) => [value]],
  ['two arguments', (value) => [value, value]],
  ['an entry of an array', (value) => [[0, value, 2]]],
  ['two entries of an array', (value) => [[value, value]]],
  ['a property', (value) => [{ before: 1, value }]],
  ['a value in a Map', (value) => [new Map([['key', value]])]],
  ['a key of a Map', (value) => [new Map([[value, 'value']])]],
  ['a member of a Set', (value) => [new Set(['a', value])]],
  ['a deeply nested value', (value) => [{ list: [new Map([[1, { value }]])] }, [value]]],
];

const sources = {
  'a method': (client: Client): Source => client.run('source', VALUE),
  'an asynchronous method': (client: Client): Source => client.runLater('source', VALUE),
};

const failingSources = {
  'a method': (client: Client): Source => client.fail('RangeError', 'source'),
  'an asynchronous method': (client: Client): Source => client.failLater('RangeError', 'source'),
};

const executions: Case[] = Object.entries(sources).flatMap(([kind, make]) =>
  uses.flatMap(([use, argumentsOf]) =>
    [true, false].map((isAwaited) => ({
      name: `the result of ${kind} as ${use}, ${isAwaited ? 'awaited too' : 'not awaited itself'}`,
      async run(caller) {
        const { client, traffic } = caller.connect();
        const source = make(client);
        const call = client.gather('user', ...(argumentsOf(source) as [unknown]));
        if (isAwaited) equal(await source, VALUE);
        equal(await call, argumentsOf(VALUE));
        equal(traffic.up.length, 1);
        equal(await runsOf(client), ['source', 'user']);
      },
    })),
  ),
);

const failures: Case[] = Object.entries(failingSources).flatMap(([kind, make]) =>
  uses.map(([use, argumentsOf]) => ({
    name: `the failure of ${kind} as ${use}`,
    async run(caller) {
      const { client } = caller.connect();
      const source = make(client);
      const call = client.gather('user', ...(argumentsOf(source) as [unknown]));
      const neighbour = client.add(1, 1);
      await rejects(call, { name: 'RangeError', message: 'range' });
      equal(await neighbour, 2);
      equal(await runsOf(client), ['source']);
    },
  })),
);

export const pipelining: Case[] = [
  ...executions,
  ...failures,
  {
    name: 'calls that nobody awaits run once, whether used or not',
    async run(caller) {
      const { client } = caller.connect();
      void client.run('alone');
      void client.gather('user', client.run('source', 1));
      await hasRun(client, 'user');
      equal(await runsOf(client), ['alone', 'source', 'user']);
    },
  },
  {
    name: 'two calls that use one result both receive it',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.runLater('source', 5);
      const users = [client.gather('one', source), client.gather('two', source)];
      equal(await Promise.all(users), [[5], [5]]);
      equal(await runsOf(client), ['one', 'source', 'two']);
    },
  },
  {
    name: 'a result that a call uses twice is one object in the method',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.run('source', { a: 1 });
      const [first, second] = await client.gather('user', source, source);
      equal([first, second], [{ a: 1 }, { a: 1 }]);
      equal(first === second, true);
    },
  },
  ...[true, false].map((isFirst): Case => ({
    name: `a call takes a result of another client, ${isFirst ? 'before' : 'after'} a result of its own frame`,
    async run(caller) {
      const { client } = caller.connect();
      const other = caller.connect({ instance: `beside ${Math.random()}` }).client;
      const inputs = [other.add(1, 2), client.add(3, 4)];
      const [first, second] = isFirst ? inputs : inputs.toReversed();
      equal(await client.gather('user', first, second), isFirst ? [3, 7] : [7, 3]);
      equal(await runsOf(client), ['user']);
    },
  })),
  {
    name: 'a chain of calls is one round trip, and each call runs once',
    async run(caller) {
      const { client, traffic } = caller.connect();
      let total: PromiseLike<number> = client.run('link 0', 1) as PromiseLike<number>;
      const names = Array.from({ length: 20 }, (_, index) => `link ${index}`);
      for (const name of names.slice(1)) {
        total = client.run(name, client.add(total as never, 1)) as PromiseLike<number>;
      }
      equal(await total, 20);
      equal([traffic.up.length, traffic.down.length], [1, 1]);
      equal(await client.runs(), names);
    },
  },
  {
    name: 'a call whose input left in an earlier frame waits for the input',
    async run(caller) {
      const { client } = caller.connect();
      const base = client.run('base', 1);
      const others = Array.from({ length: CALLS_PER_FRAME }, () => client.add(1, 1));
      const user = client.add(base as never, 1);
      const last = client.gather('last', user, others.at(-1));
      equal(await last, [2, 2]);
      equal(await client.runs(), ['base', 'last']);
      await Promise.all(others);
    },
  },
  {
    name: 'if the first call of a chain fails, all its calls fail with that error',
    async run(caller) {
      const { client } = caller.connect();
      const base = client.fail('RangeError', 'base');
      const middle = client.gather('middle', base);
      const end = client.gather('end', middle);
      await Promise.all([end, base, middle].map((call) => rejects(call, { message: 'range' })));
      equal(await runsOf(client), ['base']);
    },
  },
  {
    name: 'a call and a call built from it settle, whichever is awaited first',
    async run(caller) {
      const { client } = caller.connect();
      for (const baseFirst of [true, false]) {
        const base = client.run('base', { n: 2 });
        const built = client.gather('built', base);
        const calls = baseFirst ? [base, built] : [built, base];
        const results = [await calls[0], await calls[1]];
        equal(baseFirst ? results : results.toReversed(), [{ n: 2 }, [{ n: 2 }]]);
      }
      equal(await runsOf(client), ['base', 'base', 'built', 'built']);
    },
  },
  {
    name: 'a call that is refused before it is sent fails the calls that use it',
    async run(caller) {
      const { client } = caller.connect();
      const unsendable = client.map(() => {});
      const user = client.gather('user', unsendable);
      await Promise.all(
        [unsendable, user].map((call) => rejects(call, { code: 'UNSERIALIZABLE' })),
      );
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a result that cannot be sent fails the calls that use it',
    async run(caller) {
      const { client } = caller.connect();
      const user = client.gather('user', client.giveFunction());
      await rejects(user, { code: 'UNSERIALIZABLE', path: '.inner[0]' });
      equal(await client.runs(), []);
    },
  },
  {
    name: 'the result of another call is checked like any other argument',
    async run(caller) {
      const { client } = caller.connect();
      const user = client.add(client.map('text') as never, 1);
      await rejects(user, { code: 'INVALID_ARGUMENTS', path: '[0]' });
    },
  },
];
