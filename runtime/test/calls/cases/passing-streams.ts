/**
 * Streams as arguments, over every kind of connection. Where frames are requests there are none, and a clear
 * refusal; arrays may be passed everywhere.
 */
import { withOptions } from '../../../src/client.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { hasRun } from '../runs.ts';

/**
 * Gives numbers, and says when it has been ended.
 *
 * @param isSlow - whether it gives one a turn
 */
function producer(
  count: number,
  isSlow = false,
): { numbers: AsyncGenerator<number>; end: Promise<number> } {
  let tell: (given: number) => void;
  const end = new Promise<number>((resolve) => (tell = resolve));
  async function* numbers(): AsyncGenerator<number> {
    let given = 0;
    try {
      while (given < count) {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve));
        yield ++given;
      }
    } finally {
      tell(given);
    }
  }
  return { numbers: numbers(), end };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const passingStreams: Case[] = [
  {
    name: 'items arrive once and in order',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      equal(await client.collect('all', stream(producer(1_000).numbers)), upTo(1_000));
      const values = [new Map([[1, new Date(0)]]), undefined, -0];
      equal(await client.collect('values', stream(values.values())), values);
      equal(await client.runs(), ['all', 'values']);
    },
  },
  {
    name: 'bytes of a ReadableStream arrive in pieces',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const bytes = new Uint8Array(200_000).map((_, index) => index * 7);
      const pieces = await client.collect(
        'bytes',
        stream(new Response(bytes).body as ReadableStream<Uint8Array>),
      );
      const sizes = (pieces as Uint8Array[]).map(({ length }) => length);
      check(Math.max(...sizes) <= 65_536, `Pieces of ${sizes.join()} bytes`);
      const joined = new Uint8Array(await new Blob(pieces as never).arrayBuffer());
      check(
        joined.every((byte, index) => byte === bytes[index]) && joined.length === bytes.length,
        'Other bytes arrived',
      );
    },
  },
  {
    name: 'a method that does not read is sent no more than a window, and the end is told',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const { numbers, end } = producer(1_000_000);
      equal(await client.takeSome('some', 3, stream(numbers)), [1, 2, 3]);
      check((await end) <= 64 + 3, `${await end} were given`);
    },
  },
  {
    name: 'what the stream throws, the method throws',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      async function* numbers(): AsyncGenerator<number> {
        yield 1;
        throw new RangeError('no more');
      }
      await rejects(client.collect('failed', stream(numbers())), {
        name: 'RangeError',
        message: 'no more',
      });
    },
  },
  {
    name: 'a call that is given up ends its stream',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const controller = new AbortController();
      const { numbers, end } = producer(1_000_000, true);
      const { signal } = controller;
      const call = withOptions(client, { signal }).takeSome('held', 1_000_000, stream(numbers));
      await hasRun(client, 'held');
      controller.abort();
      await rejects(call, { code: 'ABORTED' });
      await end;
    },
  },
  {
    name: 'over requests there are no streams, but arrays',
    only: 'http',
    async run(caller) {
      const { client } = caller.connect();
      await rejects(client.collect('none', stream(producer(1).numbers)), {
        code: 'UNSERIALIZABLE',
        message: 'A stream needs a WebSocket',
      });
      equal(await client.runs(), []);
    },
  },
  {
    name: 'an array is a stream that is there',
    async run(caller) {
      const { client } = caller.connect();
      equal(await client.collect('array', [1, 2, 3]), [1, 2, 3]);
      await rejects(client.takeSome('numbers', 5, [1, 'two'] as never), {
        code: 'INVALID_ARGUMENTS',
        path: '[2][1]',
      });
    },
  },
];
