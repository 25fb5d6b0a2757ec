/**
 * An error that a method throws arrives with its class, its properties, and the stack frames of
 * both sides.
 */
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { failureNamed, failures } from '../failures.ts';

const thrown: Case[] = failures.flatMap(([name, create, Class]) =>
  (['fail', 'failLater'] as const).map((method) => ({
    name: `${method}: ${name}`,
    isShared: true,
    async run(caller) {
      const reason = await rejects(caller.standing[method](name));
      sameFailure(reason, create(), new Set());
      if (Class) check(reason instanceof Class, `It is not an instance of ${Class.name}`);
    },
  })),
);

export const errors: Case[] = [
  ...thrown,
  {
    name: 'an error that is its own cause leads back to itself',
    async run(caller) {
      const reason = await rejects(caller.connect().client.fail('itself as its cause'));
      check((reason as Error).cause === reason, 'The cause is a different error');
    },
  },
  {
    name: 'a stack has the remote frames, and below them the frames of the caller that awaited',
    async run(caller) {
      const { client, traffic } = caller.connect();
      for (const method of ['fail', 'failLater'] as const) {
        const awaitsHere = async (): Promise<void> => {
          await client[method]('RangeError');
        };
        // The timers of both calls in `failLater` are due together. If the method runs in this
        // program, the first stack that arrives then has frames of Node.
        const reasons = await Promise.all([rejects(awaitsHere()), rejects(awaitsHere())]);
        const sent = textsIn(traffic.down);
        for (const stack of reasons.map(stackOf)) {
          check(stack.startsWith('RangeError: range\n'), stack);
          const remote = sent.find((text) => stack.startsWith(`${text}\n`)) ?? '';
          check(remote.includes(`.${method} (`), stack);
          const local = stack.slice(remote.length);
          // Source maps remove the `async` before the name.
          check(/ at (async )?awaitsHere/.test(local), stack);
          // No frame of the client or of Node is between the remote and the local frames.
          check(!/rejectLater|node:internal/.test(local), stack);
        }
      }
    },
  },
  {
    name: 'if two calls end with one error, its stack has its frames once',
    async run(caller) {
      const { client } = caller.connect();
      const source = client.fail('Error');
      const reasons = await Promise.all([
        rejects(source),
        rejects(client.map(source)),
        rejects((source as Promise<unknown>).finally(() => {})),
      ]);
      for (const reason of reasons) {
        const frames = stackOf(reason).split('\n');
        equal(frames.length, new Set(frames).size);
      }
    },
  },
  {
    name: 'rejections by the runtime are instances of RpcError with a code and a stack',
    async run(caller) {
      const { client } = caller.connect();
      const reason = await rejects(client.add(1, 'two' as never), {
        name: 'RpcError',
        code: 'INVALID_ARGUMENTS',
        path: '[1]',
        message: 'add: argument [1] must be number, got a string of 3 characters',
      });
      check(stackOf(reason).includes('add: argument [1]'), stackOf(reason));
    },
  },
  {
    name: 'a rejection names the path to a missing or wrong value in an argument',
    async run(caller) {
      const { client } = caller.connect();
      const items = [
        { sku: 'a', amount: 1 },
        { sku: 'b', amount: 0 },
      ];
      await Promise.all([
        rejects(client.buy({ items }), { code: 'INVALID_ARGUMENTS', path: '[0].items[1].amount' }),
        rejects(client.buy({} as never), { code: 'INVALID_ARGUMENTS', path: '[0].items' }),
        rejects(client.buy({ items: [{ amount: 1 }] } as never), { path: '[0].items[0].sku' }),
        rejects((client.buy as () => Promise<number>)(), { path: '[0]' }),
        rejects(client.buy({ items: [] }, 5 as never), { path: '[1]' }),
        rejects((client.add as unknown as typeof Math.max)(1, 2, 3) as never, { path: '[2]' }),
      ]);
      equal(await client.runs(), []);
    },
  },
  {
    name: 'properties of an error that cannot be sent are left out, and the error arrives',
    async run(caller) {
      const { client } = caller.connect();
      const reason = await rejects(client.fail('a function among its properties'));
      check(reason instanceof Error, 'It is not an Error');
      equal([reason.message, (reason as Error & { code?: string }).code], ['kept', 'KEPT']);
      check((await rejects(client.fail('a function'))) instanceof Error, 'It is not an Error');
    },
  },
  {
    name: 'exposeErrorDetails: false sends only the name, the message and a code',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      const known: [name: string, code?: string][] = [
        ['a class of its own'],
        ['a cause'],
        ['AggregateError'],
        ['a function among its properties', 'KEPT'],
        ['an object as its code'],
        ['an object'],
      ];
      for (const [name, code] of known) {
        const reason = await rejects(client.fail(name));
        const expected = failureNamed(name);
        check(reason instanceof Error, `${String(reason)} is not an Error`);
        if (expected instanceof Error) {
          equal([reason.name, reason.message], [expected.name, expected.message]);
        }
        equal(ownOf(reason), { ...(code && { code }), ...NO_DETAILS });
        check(!Object.hasOwn(reason, 'cause') && !stackOf(reason).includes('.fail ('), name);
      }
    },
  },
  {
    name: 'exposeErrorDetails: false keeps the text of rejections by the runtime',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      const reason = await rejects(client.add('x' as never, 1));
      equal(ownOf(reason as Error), {
        code: 'INVALID_ARGUMENTS',
        path: '[0]',
        ...NO_DETAILS,
      });
    },
  },
  {
    name: 'a rejection by the runtime has no remote stack',
    async run(caller) {
      const { client } = caller.connect();
      const calls = [
        client.add('x' as never, 1),
        client.buy(1 as never),
        client.giveFunction(),
        client.fail('RpcError'),
      ];
      for (const call of calls) {
        const reason = await rejects(call, { name: 'RpcError' });
        check(!/\/rpc\/server\/|failureNamed/.test(stackOf(reason)), stackOf(reason));
      }
    },
  },
  {
    name: 'a thrown value that cannot be read leaves its neighbours alone',
    async run(caller) {
      const { client } = caller.connect();
      for (const name of ['a getter that throws', 'a proxy that throws', 'a name that throws']) {
        const results = await Promise.allSettled([
          client.add(1, 2),
          client.fail(name),
          client.failLater(name),
          client.add(3, 4),
        ]);
        equal(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
        );
        for (const one of results)
          if (one.status === 'rejected') check(one.reason instanceof Error, name);
      }
    },
  },
  {
    name: 'the client learns nothing of an error that onError throws',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      await rejects(client.fail('EvalError'), { name: 'Error', message: 'fail failed' });
    },
  },
  {
    name: 'onError replaces an error that a method threw at once or later, and no other error',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      await Promise.all([
        rejects(client.fail('TypeError'), { name: 'Error', message: 'fail failed' }),
        rejects(client.failLater('TypeError'), { name: 'Error', message: 'failLater failed' }),
        rejects(client.fail('RangeError'), { name: 'RangeError', message: 'range' }),
        rejects(client.add('x' as never, 1), { code: 'INVALID_ARGUMENTS' }),
      ]);
    },
  },
];

function stackOf(error: unknown): string {
  return String((error as Error).stack);
}

/** Returns all texts in frames. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Compares the name, the message, own properties, the cause and the errors of two failures. A
 * missing cause differs from `undefined`.
 */
function sameFailure(actual: unknown, expected: unknown, seen: Set<unknown>): void {
  if (seen.has(expected)) return;
  seen.add(expected);
  if (!(expected instanceof Error)) return equal(actual, expected);
  check(actual instanceof Error, `${String(actual)} is not an Error`);
  equal([actual.name, actual.message], [expected.name, expected.message]);
  equal(ownOf(actual), ownOf(expected));
  equal(Object.hasOwn(actual, 'cause'), Object.hasOwn(expected, 'cause'));
  sameFailure(actual.cause, expected.cause, seen);
  const [left = [], right = []] = [actual, expected].map(
    (error) => (error as AggregateError).errors,
  );
  equal(left.length, right.length);
  for (const [index, error] of right.entries()) sameFailure(left[index], error, seen);
}

const NO_DETAILS = { name: undefined, cause: undefined, stack: undefined };

/**
 * Reads own properties without the standard ones, because some runtimes make the standard ones
 * enumerable.
 */
function ownOf({ ...own }: Error): object {
  return { ...own, ...NO_DETAILS };
}
