/** Calls with timeouts and abort signals, and the messages by which the object learns of them. */
import { withOptions } from '../../../src/client.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { hasRun } from '../runs.ts';

const tick = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 0));

export const givingUp: Case[] = [
  {
    name: 'a call without an answer in time rejects, and the error says that it may have run',
    async run(caller) {
      const { client } = caller.connect();
      await client.add(1, 1);
      await rejects(withOptions(client, { timeout: 50 }).hold('held'), {
        name: 'RpcError',
        code: 'TIMEOUT',
        maybeExecuted: true,
      });
      equal(await client.add(1, 1), 2);
    },
  },
  {
    name: 'the timeout of the client holds for its calls, and the timeout of a call takes precedence',
    async run(caller) {
      const { client } = caller.connect({ timeout: 50 });
      const patient = withOptions(client, { timeout: 60_000 });
      const held = patient.hold('held', 'late');
      await rejects(client.hold('given up'), { code: 'TIMEOUT' });
      // On a busy machine, another request could overtake this one.
      await hasRun(patient, 'held');
      await patient.release('held');
      if (caller.way.transport === 'http') await patient.release('given up');
      equal(await held, 'late');
    },
  },
  {
    name: 'a call that waits for an input can time out, and does not run',
    async run(caller) {
      const { client } = caller.connect();
      const held = client.hold('held', 1);
      await hasRun(client, 'held');
      const user = withOptions(client, { timeout: 20 }).gather('user', held);
      // Over a WebSocket, the object waits for the input.
      const maybeExecuted = caller.way.transport === 'websocket';
      await rejects(user, { code: 'TIMEOUT', maybeExecuted });
      await client.release('held');
      equal(await held, 1);
      equal(await client.runs(), ['held']);
    },
  },
  {
    name: 'a call that is aborted rejects with the reason as its cause',
    async run(caller) {
      const { client } = caller.connect();
      const controller = new AbortController();
      const aborted = withOptions(client, { signal: controller.signal }).hold('held');
      await hasRun(client, 'held');
      const reason = new Error('no longer wanted');
      controller.abort(reason);
      const error = await rejects(aborted, { code: 'ABORTED', maybeExecuted: true });
      check((error as Error).cause === reason, 'The cause is not the reason of the abort');
      equal(await client.add(1, 1), 2);
    },
  },
  {
    name: 'the object is told of an aborted call, and its late answer is not sent',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const controller = new AbortController();
      const aborted = withOptions(client, { signal: controller.signal }).hold('held', 'late');
      await hasRun(client, 'held');
      controller.abort();
      await rejects(aborted, { code: 'ABORTED' });
      equal(traffic.cancelled, [1]);
      equal(await client.release('held'), true);
      equal(await client.add(1, 1), 2);
      equal(
        traffic.down.flat().filter(([id]) => id === 1),
        [],
      );
    },
  },
  {
    name: 'over HTTP the object is not told of an aborted call, because that request could overtake the call',
    only: 'http',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const controller = new AbortController();
      const aborted = withOptions(client, { signal: controller.signal }).hold('held');
      await hasRun(client, 'held');
      const { length } = traffic.up;
      controller.abort();
      await rejects(aborted, { code: 'ABORTED' });
      await tick();
      equal([traffic.up.length, traffic.cancelled], [length, []]);
    },
  },
  {
    name: 'the object is also told of a timeout',
    only: 'connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      await client.add(1, 1);
      await rejects(withOptions(client, { timeout: 30 }).hold('held', 'late'), { code: 'TIMEOUT' });
      await client.release('held');
      await client.add(1, 1);
      equal(traffic.cancelled, [2]);
      equal(
        traffic.down.flat().filter(([id]) => id === 2),
        [],
      );
    },
  },
  {
    name: 'a call with an aborted signal is not sent',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const impatient = withOptions(client, { signal: AbortSignal.abort('why') });
      await rejects(impatient.run('never'), {
        code: 'ABORTED',
        cause: 'why',
        maybeExecuted: false,
      });
      equal(traffic.up, []);
      equal(await client.runs(), []);
    },
  },
  {
    name: 'a call that is aborted before it leaves is not sent, and its neighbours are sent',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const controller = new AbortController();
      const aborted = withOptions(client, { signal: controller.signal }).run('never');
      const neighbour = client.run('neighbour');
      controller.abort();
      await rejects(aborted, { code: 'ABORTED', maybeExecuted: false });
      await neighbour;
      equal(await client.runs(), ['neighbour']);
      equal(traffic.cancelled, []);
    },
  },
  {
    name: 'an abort after the answer changes nothing and sends nothing',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const controller = new AbortController();
      const call = withOptions(client, { signal: controller.signal }).add(1, 1);
      equal(await call, 2);
      controller.abort();
      await tick();
      equal(await call, 2);
      equal([traffic.up.length, traffic.cancelled.length], [1, 0]);
    },
  },
  {
    name: 'one signal aborts many calls, and the calls that use them fail too',
    async run(caller) {
      const { client } = caller.connect();
      const controller = new AbortController();
      const abortable = withOptions(client, { signal: controller.signal });
      const calls = [abortable.hold('one'), abortable.hold('two')];
      await hasRun(client, 'two');
      const user = client.gather('user', calls[0]);
      controller.abort();
      await Promise.all([...calls, user].map((call) => rejects(call, { code: 'ABORTED' })));
      equal(await client.runs(), ['one', 'two']);
    },
  },
  {
    name: 'options add up, and clients made by withOptions share one connection',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const abort = new AbortController();
      const abortable = withOptions(client, { signal: abort.signal });
      const both = withOptions(abortable, { timeout: 60_000 });
      equal(await Promise.all([both.add(1, 1), client.add(2, 2)]), [2, 4]);
      equal(traffic.up.length, 1);
      abort.abort();
      await rejects(both.add(1, 1), { code: 'ABORTED' });
      client.close();
      await rejects(both.add(1, 1), { code: 'CLOSED' });
    },
  },
  {
    name: 'withOptions accepts only clients',
    async run() {
      for (const other of [{}, [], new Map()]) {
        try {
          withOptions(other, { timeout: 1 });
        } catch (error) {
          check(error instanceof TypeError, String(error));
          continue;
        }
        throw new Error('It accepted a value that is not a client');
      }
    },
  },
];
