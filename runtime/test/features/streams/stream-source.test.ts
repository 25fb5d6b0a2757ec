/** Which results of a method are read item by item, and when their producers are ended. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileContract, read, RpcError, stream } from '../../../src/server.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

/** A producer whose items the test chooses, and which records how it was ended. */
class Producer {
  /** The arguments of each call of `return`. */
  readonly ends: unknown[] = [];
  readonly gate = Promise.withResolvers<unknown>();
  value: unknown;

  /** Returns the value that a test has set. */
  any(): unknown {
    return this.value;
  }

  /** Returns a promise that settles when the gate opens. */
  later(): Promise<unknown> {
    return this.gate.promise;
  }

  one(): number {
    return 1;
  }

  /**
   * Returns an iterator whose first item is 1.
   *
   * @param next - returns each later item
   * @param end - runs before `return` returns
   */
  iterator(
    next: () => unknown,
    end: () => unknown = () => ({ done: true, value: undefined }),
  ): Iterator<unknown> {
    let isBegun = false;
    return {
      next: () => {
        if (isBegun) return next() as IteratorResult<unknown>;
        isBegun = true;
        return { done: false, value: 1 };
      },
      return: (reason) => {
        this.ends.push(reason);
        return end() as IteratorResult<unknown>;
      },
    };
  }
}

const entries = {
  any: stream([], { readonly: true }),
  later: stream([], { readonly: true }),
  one: read(),
};
const limits = { streams: 1 };
const contract = compileContract(entries, { limits });

let producer: Producer;
let raw: RawConnection;

beforeEach(() => {
  producer = new Producer();
  raw = openPort(producer, contract);
});
afterEach(() => void vi.restoreAllMocks());

const SUBSCRIBE = '["subscribe",1,null,"any"]';
const LEAVE = '["unsubscribe",1]';
const DONE = { done: true, value: undefined };

function fail(): never {
  throw new RangeError('no more');
}

const sync = (iterator: Iterator<unknown>) => ({ [Symbol.iterator]: () => iterator });
const async = (iterator: Iterator<unknown>) => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => iterator.next(),
    return: async (reason: unknown) => iterator.return?.(reason),
  }),
});

describe.each([
  ['synchronous', sync],
  ['asynchronous', async],
])('a producer that is %s', (_, from) => {
  const isEnd = ([kind]: unknown[]): boolean => kind === 'complete';

  test.each([
    ['is done', () => DONE],
    ['has thrown', fail],
  ])('and %s is not ended', async (__, next) => {
    producer.value = from(producer.iterator(next));
    raw.sendMessages(SUBSCRIBE);
    await raw.until(isEnd);
    await raw.exchange(LEAVE);
    expect(producer.ends).toEqual([]);
  });

  test('is ended once if its client leaves', async () => {
    producer.value = from(producer.iterator(() => ({ done: false, value: 2 })));
    raw.sendMessages(SUBSCRIBE);
    await raw.until(([kind]) => kind === 'next');
    await raw.exchange(LEAVE, LEAVE);
    expect(producer.ends).toEqual([
      expect.objectContaining({
        code: 'ABORTED',
        message: 'The client stopped reading the stream',
      }),
    ]);
  });

  test('and fails to end breaks nothing, and logs the error', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    producer.value = from(producer.iterator(() => ({ done: false, value: 2 }), fail));
    raw.sendMessages(SUBSCRIBE);
    await raw.until(([kind]) => kind === 'next');
    expect(await raw.exchange(LEAVE)).toEqual([]);
    await expect.poll(() => complaints.mock.calls).toEqual([[new RangeError('no more')]]);
  });

  test('and throws the error of an expired feed is not confused with a feed', async () => {
    const thrown = new RpcError('CURSOR_EXPIRED', 'by the class');
    producer.value = from(
      producer.iterator(() => {
        throw thrown;
      }),
    );
    raw.sendMessages(SUBSCRIBE);
    const error = thrownBy((await raw.until(isEnd)).at(-1));
    expect(error).toMatchObject({ name: 'Error', message: 'by the class' });
    expect(error).not.toHaveProperty('code');
  });
});

test('an error that comes after the client has left is not reported', async () => {
  const onError = vi.fn();
  const other = openPort(producer, compileContract(entries, { limits, onError }));
  const item = Promise.withResolvers<IteratorResult<number>>();
  producer.value = { [Symbol.asyncIterator]: () => ({ next: () => item.promise }) };
  await other.exchange(SUBSCRIBE);
  await other.exchange(LEAVE);
  item.reject(new RangeError('too late'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(await other.exchange()).toEqual([]);
  expect(onError).not.toHaveBeenCalled();
});

describe('a promise of a stream', () => {
  const endless = (): object => sync(producer.iterator(() => ({ done: false, value: 2 })));

  test('that is left before it is fulfilled is ended when it is fulfilled', async () => {
    await raw.exchange('["subscribe",1,null,"later"]');
    await raw.exchange(LEAVE);
    expect(producer.ends).toEqual([]);
    producer.gate.resolve(endless());
    await expect.poll(() => producer.ends).toHaveLength(1);
    expect(ofKind(await raw.exchange(), 'next')).toEqual([]);
  });

  test('that is left, and then rejects, breaks nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await raw.exchange('["subscribe",1,null,"later"]');
    await raw.exchange(LEAVE);
    producer.gate.reject(new RangeError('nothing'));
    expect(await raw.exchange()).toEqual([]);
  });
});

describe('a stream for which the object has no room', () => {
  const endless = (): object => sync(producer.iterator(() => ({ done: false, value: 2 })));

  beforeEach(async () => {
    // This stream takes the only place.
    producer.value = endless();
    await raw.exchange(SUBSCRIBE);
    producer.value = endless();
  });

  test('is ended', async () => {
    const heard = await raw.exchange('["subscribe",2,null,"any"]');
    expect(thrownBy(heard.at(-1))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(producer.ends).toHaveLength(1);
  });

  test('is ended when its promise is fulfilled', async () => {
    const heard = await raw.exchange('["subscribe",2,null,"later"]');
    expect(thrownBy(heard.at(-1))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    producer.gate.resolve(endless());
    await expect.poll(() => producer.ends).toHaveLength(1);
  });

  test('logs the reason if its promise rejects', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    await raw.exchange('["subscribe",2,null,"later"]');
    producer.gate.reject(new RangeError('nothing'));
    await expect.poll(() => complaints.mock.calls).toEqual([[new RangeError('nothing')]]);
  });

  test('is ended if a client asks to continue it', async () => {
    const heard = await raw.exchange('["subscribe",2,"5.abcdefgh","any"]');
    expect(thrownBy(heard.at(-1))).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: false });
    expect(producer.ends).toHaveLength(1);
  });
});

const values = function* (): Generator<number> {
  yield* [1, 2];
};
const bare: object = Object.assign(Object.create(null), { [Symbol.iterator]: values });

test.each<[string, unknown]>([
  ['a generator', values()],
  ['an iterator', [1, 2].values()],
  ['an object', { [Symbol.iterator]: values }],
  ['an object without a prototype', bare],
  [
    'an instance of a class',
    new (class {
      [Symbol.iterator] = values;
    })(),
  ],
  [
    'a ReadableStream',
    new Response('x').body?.pipeThrough(new TransformStream({ transform() {} })),
  ],
])('%s is read item by item', async (name, value) => {
  producer.value = value;
  raw.sendMessages(SUBSCRIBE);
  const heard = await raw.until(([kind]) => kind === 'complete');
  const items = ofKind(heard, 'next').map(([, , , item]) => item);
  expect(items).toEqual(name === 'a ReadableStream' ? [] : [1, 2]);
  expect(thrownBy(heard.at(-1))).toBeUndefined();
});

test.each<[string, unknown]>([
  ['an array', [1]],
  ['text', 'x'],
  ['null', null],
  ['a Map', new Map()],
  ['a Set', new Set()],
  ['bytes', new Uint8Array(1)],
  ['boxed text', Object('x')],
  ['URLSearchParams', new URLSearchParams()],
  ['Headers', new Headers()],
])('%s is a single value', async (_, value) => {
  producer.value = value;
  const [complete] = await raw.exchange(SUBSCRIBE);
  expect(thrownBy(complete)).toMatchObject({ code: 'METHOD_NOT_FOUND', maybeExecuted: true });
});
