/** What a method throws arrives as what it was, with the frames of both sides. */
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../../support/check.ts';
import { failureNamed, failures } from '../failures.ts';

const thrown: Case[] = failures.flatMap(([name, create, Class]) =>
  (['fail', 'failLater'] as const).map((method) => ({
    name: `${method}: ${name}`,
    async run(caller) {
      const reason = await rejects(caller.connect().client[method](name));
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
      const { client } = caller.connect();
      for (const method of ['fail', 'failLater'] as const) {
        const awaitsHere = async (): Promise<void> => {
          await client[method]('RangeError');
        };
        const stack = stackOf(await rejects(awaitsHere()));
        check(stack.startsWith('RangeError: range\n'), stack);
        const remote = stack.indexOf(`.${method} (`);
        // Source maps remove the `async` before the name.
        const local = stack.search(/ at (async )?awaitsHere/);
        check(remote > 0 && local > remote, stack);
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
        message: 'add: argument [1] must be number, got string',
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
    name: 'exposeStack: false keeps the remote frames back, and the rest of the error',
    async run(caller) {
      const { client } = caller.connect({ binding: 'DISCREET' });
      for (const name of ['a class of its own', 'a cause']) {
        const reason = await rejects(client.fail(name));
        sameFailure(reason, failureNamed(name), new Set());
        check(!stackOf(reason).includes('.fail ('), stackOf(reason));
        const { cause } = reason as Error;
        if (cause) check(!stackOf(cause).includes('.fail ('), stackOf(cause));
      }
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

/** Whether what every error has is enumerable depends on who made the error. */
function ownOf({ ...own }: Error): object {
  return { ...own, name: undefined, cause: undefined, stack: undefined };
}
