/**
 * Clients pass streams as arguments over every kind of connection. Over HTTP requests a stream is
 * refused with a clear error, and arrays are accepted.
 */
import { withOptions } from '../../../src/client.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { hasRun } from '../runs.ts';

/**
 * Yields numbers, and tells when it has been ended.
 *
 * @param isSlow - yields one number per turn
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
      check(Math.max(...sizes) <= 65_536, `The pieces have ${sizes.join()} bytes`);
      const joined = new Uint8Array(await new Blob(pieces as never).arrayBuffer());
      check(
        joined.every((byte, index) => byte === bytes[index]) && joined.length === bytes.length,
        'Different bytes arrived',
      );
    },
  },
  {
    name: 'a method that does not read receives no more than a window, and the stream is told when it ends',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const { numbers, end } = producer(1_000_000);
      equal(await client.takeSome('some', 3, stream(numbers)), [1, 2, 3]);
      check((await end) <= 64 + 3, `The stream gave ${await end} numbers`);
    },
  },
  {
    name: 'the method throws the error that the stream throws',
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
    name: 'an aborted call ends its stream',
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
    name: 'over HTTP a stream is refused, and an array is accepted',
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
    name: 'a method reads an array as a stream',
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
