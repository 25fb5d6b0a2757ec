/** What a method throws arrives as what it was, with the frames of both sides. */
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
      if (Class) check(reason instanceof Class, `It is no instance of ${Class.name}`);
    },
  })),
);

export const errors: Case[] = [
  ...thrown,
  {
    name: 'an error that is its own cause leads back to itself',
    async run(caller) {
      const reason = await rejects(caller.connect().client.fail('itself as its cause'));
      check((reason as Error).cause === reason, 'The cause is another error');
    },
  },
  {
    name: 'a stack shows the remote frames, and below them where the caller awaited',
    async run(caller) {
      const { client, traffic } = caller.connect();
      for (const method of ['fail', 'failLater'] as const) {
        const awaitsHere = async (): Promise<void> => {
          await client[method]('RangeError');
        };
        // Two calls, whose timers in `failLater` are due together. If the method runs in this program, the first
        // stack that is sent then has frames of Node.
        const reasons = await Promise.all([rejects(awaitsHere()), rejects(awaitsHere())]);
        const sent = textsIn(traffic.down);
        for (const stack of reasons.map(stackOf)) {
          check(stack.startsWith('RangeError: range\n'), stack);
          const remote = sent.find((text) => stack.startsWith(`${text}\n`)) ?? '';
          check(remote.includes(`.${method} (`), stack);
          const local = stack.slice(remote.length);
          // Source maps remove the `async` before the name.
          check(/ at (async )?awaitsHere/.test(local), stack);
          // Nor do frames of the client and of Node stand between the two.
          check(!/rejectLater|node:internal/.test(local), stack);
        }
      }
    },
  },
  {
    name: 'the stack of an error that two calls end with has its frames once',
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
    name: 'refusals of the runtime are instances of RpcError with a code and a stack',
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
    name: 'a path to what is missing or wrong in an argument is written out',
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
    name: 'what cannot be sent of an error is left out, and the error arrives',
    async run(caller) {
      const { client } = caller.connect();
      const reason = await rejects(client.fail('a function among its properties'));
      check(reason instanceof Error, 'It is no Error');
      equal([reason.message, (reason as Error & { code?: string }).code], ['kept', 'KEPT']);
      check((await rejects(client.fail('a function'))) instanceof Error, 'It is no Error');
    },
  },
  {
    name: 'exposeErrorDetails: false sends the name, the message and a code, and nothing else',
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
        check(reason instanceof Error, `${String(reason)} is no Error`);
        if (expected instanceof Error) {
          equal([reason.name, reason.message], [expected.name, expected.message]);
        }
        equal(ownOf(reason), { ...(code && { code }), ...NO_DETAILS });
        check(!Object.hasOwn(reason, 'cause') && !stackOf(reason).includes('.fail ('), name);
      }
    },
  },
  {
    name: 'exposeErrorDetails: false leaves what the runtime says',
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
    name: 'what the runtime reports has no remote stack',
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
    name: 'what cannot be read of a thrown value leaves its neighbours alone',
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
    name: 'onError that throws tells the client nothing',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      await rejects(client.fail('EvalError'), { name: 'Error', message: 'fail failed' });
    },
  },
  {
    name: 'onError replaces what a method threw, at once or later, and nothing else',
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

/** All texts in frames. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

/** Name, message, own properties, cause and errors; and whether there is a cause at all. */
function sameFailure(actual: unknown, expected: unknown, seen: Set<unknown>): void {
  if (seen.has(expected)) return;
  seen.add(expected);
  if (!(expected instanceof Error)) return equal(actual, expected);
  check(actual instanceof Error, `${String(actual)} is no Error`);
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

/** Whether what every error has is enumerable depends on who made the error. */
function ownOf({ ...own }: Error): object {
  return { ...own, ...NO_DETAILS };
}
