/** A call is a promise: it works everywhere a program uses a promise. */
import type { Case } from '../case.ts';
import { check, equal, rejects, settle } from '../check.ts';

export const promises: Case[] = [
  {
    name: 'then, catch and finally',
    async run(caller) {
      const { client } = caller.connect();
      const steps: unknown[] = [];
      const step = (value: unknown): number => steps.push(value);
      const good = client.add(1, 1);
      const bad = client.fail('RangeError') as Promise<unknown>;
      await good.then(step);
      equal(await good.then((sum) => sum * 10), 20);
      equal(await good.then(null), 2);
      equal(await good.catch(step), 2);
      equal(await good.finally(() => step('finally')), 2);
      equal(await bad.then(step, () => 'caught'), 'caught');
      equal(await bad.catch((error: Error) => error.message), 'range');
      await rejects(
        bad.finally(() => step('finally again')),
        { message: 'range' },
      );
      equal(steps, [2, 'finally', 'finally again']);
    },
  },
  {
    name: 'a call that is awaited again gives the same result, and nothing is sent',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const call = client.profile();
      const [first, second] = [await call, await call];
      check(first === second, 'The results differ');
      equal(traffic.up.length, 1);
    },
  },
  {
    name: 'Promise.all, allSettled, race, any and resolve',
    async run(caller) {
      const { client } = caller.connect();
      const bad = (): Promise<unknown> => client.fail('RangeError');
      equal(await Promise.all([client.add(1, 1), 5, client.map('x')]), [2, 5, 'x']);
      await rejects(Promise.all([client.add(1, 1), bad()]), { message: 'range' });
      const settled = await Promise.allSettled([client.add(1, 1), bad()]);
      equal(
        settled.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      );
      equal(await Promise.race([client.add(1, 1), new Promise(() => {})]), 2);
      equal(await Promise.any([bad(), client.add(1, 1)]), 2);
      equal(await Promise.resolve(client.add(1, 1)), 2);
      const answer = async (): Promise<number> => client.add(1, 1);
      equal(await answer(), 2);
    },
  },
  {
    name: 'for await and an async generator',
    async run(caller) {
      const { client } = caller.connect();
      const sums = [];
      for await (const sum of [client.add(1, 1), client.add(2, 2)]) sums.push(sum);
      async function* generate(): AsyncGenerator<number> {
        yield client.add(3, 3);
      }
      for await (const sum of generate()) sums.push(sum);
      equal(sums, [2, 4, 6]);
    },
  },
  {
    name: 'a client is not thenable',
    async run(caller) {
      const { client, traffic } = caller.connect();
      check((await client) === client, 'An awaited client gave another value');
      check((await Promise.resolve(client)) === client, 'Promise.resolve gave another value');
      equal('then' in client && typeof (client as { then?: unknown }).then, false);
      equal(traffic.up, []);
    },
  },
  {
    name: 'using closes a client at the end of its block',
    async run(caller) {
      let kept;
      {
        using client = caller.connect().client;
        equal(await client.add(1, 1), 2);
        kept = client;
      }
      await rejects(kept.add(1, 1), { name: 'RpcError', code: 'CLOSED' });
    },
  },
  {
    name: 'await using closes a client at the end of its block',
    async run(caller) {
      let kept;
      {
        await using client = caller.connect().client;
        equal(await client.add(1, 1), 2);
        kept = client;
      }
      await rejects(kept.add(1, 1), { name: 'RpcError', code: 'CLOSED' });
    },
  },
  {
    name: 'close rejects unanswered calls, and calls that wait for an input',
    async run(caller) {
      const { client } = caller.connect();
      const held = client.hold('held');
      await new Promise((resolve) => setTimeout(resolve, 0));
      const calls = [held, client.gather('user', held), client.add(1, 1)];
      const rejected = Promise.all(calls.map((call) => rejects(call, { code: 'CLOSED' })));
      client.close();
      await rejected;
    },
  },
  {
    name: 'close works before the connection opens, twice, and without any call',
    async run(caller) {
      const unused = caller.connect();
      unused.client.close();
      const { client } = caller.connect();
      const rejected = rejects(client.add(1, 1), { code: 'CLOSED' });
      client.close();
      client.close();
      client[Symbol.dispose]();
      await rejected;
      equal(unused.traffic.up, []);
    },
  },
  {
    name: 'a connection that the caller closes is closed on both sides',
    only: 'socket',
    async run(caller) {
      const socket = caller.openSocket();
      const code = await new Promise((resolve) => {
        socket.addEventListener('open', () => socket.send('[[1,"runs"]]'));
        socket.addEventListener('message', () => socket.close(1000));
        socket.addEventListener('close', (event) => resolve((event as CloseEvent).code));
      });
      equal(code, 1000);
    },
  },
  {
    name: 'closing one client leaves the others alone',
    async run(caller) {
      const [one, two] = [caller.connect().client, caller.connect().client];
      await Promise.all([one.add(1, 1), two.add(1, 1)]);
      one.close();
      equal(await two.add(2, 2), 4);
    },
  },
  {
    name: 'falsy results, and undefined, arrive',
    async run(caller) {
      const { client } = caller.connect();
      const values = [0, '', false, null, undefined, Number.NaN, -0, 0n];
      const outcomes = await Promise.all(values.map((value) => settle(client.map(value))));
      equal(
        outcomes,
        values.map((value) => ({ value })),
      );
    },
  },
];
