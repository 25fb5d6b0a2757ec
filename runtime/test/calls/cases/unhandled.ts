/**
 * A call that the caller handles causes no unhandled rejection. A call that nobody handles causes
 * one.
 */
import { withOptions } from '../../../src/client.ts';
import type { Case } from '../case.ts';
import type { Connected } from '../caller.ts';
import { check, equal, rejects, settle } from '../check.ts';
import { unhandledDuring } from '../unhandled.ts';

const handled: [name: string, run: (connection: Connected) => Promise<unknown>][] = [
  ['a call that is awaited', ({ client }) => settle(client.fail('RangeError'))],
  ['an asynchronous call', ({ client }) => settle(client.failLater('RangeError'))],
  ['a refused argument', ({ client }) => settle(client.map(() => {}))],
  ['a part that is awaited', ({ client }) => settle((client.fail('Error') as never)['part'])],
  ['a part of null', ({ client }) => settle((client.profile().nothing as never)['part'])],
  [
    'a call handled by catch',
    ({ client }) => (client.fail('Error') as Promise<void>).catch(() => {}),
  ],
  [
    'a call in Promise.all',
    ({ client }) => settle(Promise.all([client.fail('Error'), client.fail('Error')])),
  ],
  [
    'an input of a call that is awaited',
    ({ client }) => settle(client.gather('user', client.fail('Error'))),
  ],
  [
    'a refused input of a call that is awaited',
    ({ client }) =>
      settle(
        client.gather(
          'user',
          client.map(() => {}),
        ),
      ),
  ],
  [
    'a chain whose end is awaited',
    ({ client }) => settle(client.map(client.map(client.fail('Error')))),
  ],
  [
    'an aborted call',
    ({ client }) => settle(withOptions(client, { signal: AbortSignal.abort() }).runs()),
  ],
];

export const unhandled: Case[] = [
  ...handled.map(([name, run]): Case => ({
    name: `none for ${name}`,
    async run(caller) {
      const connection = caller.connect();
      const reasons = await unhandledDuring(async () => void (await run(connection)));
      equal(reasons.map(String), []);
    },
  })),
  {
    name: 'none for calls that close ends and the caller handles',
    async run(caller) {
      const { client } = caller.connect();
      const reasons = await unhandledDuring(async () => {
        const held = client.hold('held');
        const calls = [held, client.gather('user', held)];
        const rejected = Promise.all(calls.map((call) => rejects(call, { code: 'CLOSED' })));
        await new Promise((resolve) => setTimeout(resolve, 0));
        client.close();
        await rejected;
      });
      equal(reasons.map(String), []);
    },
  },
  {
    name: 'none for a call that succeeds and that nobody awaits',
    async run(caller) {
      const { client } = caller.connect();
      const reasons = await unhandledDuring(async () => {
        void client.run('alone');
        // The neighbour is in the same frame, and its answer too, so nothing is pending when the
        // client of the case is closed.
        await client.run('neighbour');
      });
      equal(reasons.map(String), []);
    },
  },
  ...(['fail', 'failLater'] as const).map((method): Case => ({
    name: `one for a call that nobody handles: ${method}`,
    async run(caller) {
      const { client } = caller.connect();
      const reasons = await unhandledDuring(async () => {
        const neighbour = client.runLater('neighbour');
        void client[method]('a class of its own');
        await neighbour;
        await client.runs();
      }, 1);
      equal(reasons.map(String), ['Shortage: too few']);
      check(reasons[0] instanceof Error, 'The reason is no Error');
    },
  })),
  {
    name: 'one for a call that is refused before it is sent, if nobody handles it',
    async run(caller) {
      const { client } = caller.connect();
      const reasons = await unhandledDuring(async () => {
        void client.map(() => {});
        await client.runs();
      }, 1);
      equal(
        reasons.map((reason) => (reason as { code: string }).code),
        ['UNSERIALIZABLE'],
      );
    },
  },
  {
    name: 'one for a call whose input failed, if nobody handles it, and none for the input',
    async run(caller) {
      const { client } = caller.connect();
      const reasons = await unhandledDuring(async () => {
        void client.gather('user', client.fail('RangeError'));
        await client.runs();
      }, 1);
      equal(reasons.map(String), ['RangeError: range']);
    },
  },
];
