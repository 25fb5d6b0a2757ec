/** A stream in the object's memory, frame by frame: where it goes on, how far ahead it is sent, and how it ends. */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import { compileContract, read, stream } from '../../../src/server.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

/** The maximum size of a message with an item. */
const MAX_ITEM_SIZE = 1_048_576;

class Producer {
  begun = 0;
  ended = 0;

  *count(to: number): Generator<number> {
    this.begun++;
    try {
      for (let number = 1; number <= to; number++) yield number;
    } finally {
      this.ended++;
    }
  }

  /** Yields texts of these lengths. */
  *texts(lengths: number[]): Generator<string> {
    for (const length of lengths) yield 'x'.repeat(length);
  }

  async *textsSoon(lengths: number[]): AsyncGenerator<string> {
    yield* this.texts(lengths);
  }

  one(): number {
    return 1;
  }
}

const lengths = Type.Array(Type.Integer());

const contract = compileContract({
  count: stream([Type.Integer()], { readonly: true }),
  texts: stream([lengths], { readonly: true }),
  textsSoon: stream([lengths], { readonly: true }),
  one: read(),
});

function serve(limits = {}): { raw: RawConnection; producer: Producer } {
  const producer = new Producer();
  const raw = openPort(producer, { ...contract, limits: { ...contract.limits, ...limits } });
  return { raw, producer };
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const itemsIn = (messages: unknown[][]): unknown[] =>
  ofKind(messages, 'next').map(([, , index]) => index);

/** Returns the cursor after `event` items. */
function cursorAt(messages: unknown[][], event: number): string {
  const [[, , cursor] = []] = ofKind(messages, 'subscribed');
  return `"${event}${/\.\w+$/.exec(String(cursor))?.[0]}"`;
}

describe('a client that subscribes again on the same connection', () => {
  const begin = '["subscribe",1,null,"count",[200]]';

  test('goes on after its cursor', async () => {
    const { raw, producer } = serve();
    const begun = await raw.exchange(begin);
    const again = await raw.exchange(`["subscribe",1,${cursorAt(begun, 10)},"count",[200]]`);
    expect(again[0]?.slice(0, 2)).toEqual(['subscribed', 1]);
    expect(itemsIn(again)).toEqual(numbers(11, 74));
    expect(producer.begun).toBe(1);
  });

  test('goes on even at the limit of subscriptions, because the subscription already counts', async () => {
    const { raw } = serve({ subscriptions: 1 });
    const begun = await raw.exchange(begin);
    const again = await raw.exchange(`["subscribe",1,${cursorAt(begun, 10)},"count",[200]]`);
    expect(itemsIn(again)).toEqual(numbers(11, 74));
  });

  test('counts as a call, and the stream ends if callsPerSecond rejects it', async () => {
    const { raw, producer } = serve({ callsPerSecond: 3 });
    const begun = await raw.exchange(begin);
    const again = `["subscribe",1,${cursorAt(begun, 0)},"count",[200]]`;
    raw.sendMessages(again, again);
    await expect.poll(() => raw.frames.at(-1)).toContain('LIMIT_EXCEEDED');
    expect(producer.ended).toBe(1);
  });

  test('gets a new stream without a cursor, and the first stream ends', async () => {
    const { raw, producer } = serve();
    await raw.exchange(begin);
    expect(itemsIn(await raw.exchange('["subscribe",1,null,"count",[3]]'))).toEqual([1, 2, 3]);
    expect(producer).toMatchObject({ begun: 2, ended: 2 });
  });

  test('gets the same stream if the answer to its first attempt was lost', async () => {
    const { raw, producer } = serve();
    await raw.exchange(begin);
    const again = await raw.exchange('["subscribe",1,0,"count",[200]]');
    expect(itemsIn(again)).toEqual(numbers(1, 64));
    expect(producer.begun).toBe(1);
  });

  test('gets the end again after the end', async () => {
    const { raw } = serve();
    const begun = await raw.exchange('["subscribe",1,null,"count",[3]]');
    expect(begun.at(-1)).toEqual(['complete', 1]);
    const again = await raw.exchange(`["subscribe",1,${cursorAt(begun, 2)},"count",[3]]`);
    expect(itemsIn(again)).toEqual([3]);
    expect(again.at(-1)).toEqual(['complete', 1]);
  });

  test.each([
    ['of items that it has acknowledged', 9],
    ['of items that it was not sent', 75],
    ['of another stream', '10.aaaaaaaa'],
  ])('gets an error for the cursor %s', async (_, cursor) => {
    const { raw, producer } = serve();
    const begun = await raw.exchange(begin);
    await raw.exchange('["ack",1,10]');
    const text = typeof cursor === 'number' ? cursorAt(begun, cursor) : `"${cursor}"`;
    const [complete, ...more] = await raw.exchange(`["subscribe",1,${text},"count",[200]]`);
    expect(thrownBy(complete)).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: false });
    expect(more).toEqual([]);
    expect(producer.ended).toBe(1);
  });
});

test.each(['texts', 'textsSoon'])(
  '%s: small items share a frame, and large items have their own',
  async (method) => {
    const { raw } = serve();
    const sizes = [40_000, 40_000, 10_000, 10_000, 70_000, 10, 10];
    // This exchange keeps the items out of the frame that answers the subscription.
    await raw.exchange('["subscribe",1,null,"one"]');
    raw.sendMessages(`["subscribe",2,null,"${method}",[[${sizes}]]]`);
    await expect.poll(() => raw.frames.at(-1)).toContain('"complete",2');
    const frames = raw.frames.map((frame) => ofKind(JSON.parse(frame), 'next').length);
    const expected = method === 'textsSoon' ? [1, 3, 1, 2] : [7];
    expect(frames.filter((count) => count > 0)).toEqual(expected);
  },
);

test.each(['texts', 'textsSoon'])(
  '%s: large items make the window smaller, and small items make it larger again, up to 64',
  async (method) => {
    const { raw } = serve();
    const sizes = [...Array.from({ length: 30 }, () => 100_000), ...numbers(1, 500).map(() => 1)];
    const windows: unknown[] = [];
    let acknowledged = 0;
    let heard = await raw.exchange(`["subscribe",1,null,"${method}",[[${sizes}]]]`);
    for (;;) {
      windows.push(...ofKind(heard, 'window').map(([, , window]) => window));
      const last = itemsIn(heard).at(-1) as number | undefined;
      if (ofKind(heard, 'complete').length > 0) break;
      acknowledged = last ?? acknowledged;
      heard = await raw.exchange(`["ack",1,${acknowledged}]`);
    }
    expect(acknowledged).toBeGreaterThan(400);
    expect(windows[0]).toBe(11);
    expect(windows.slice(-3)).toEqual([22, 44, 64]);
  },
);

test('an asynchronous producer goes on while its window grows', async () => {
  const { raw } = serve();
  const sizes = [...numbers(1, 11).map(() => 100_000), ...numbers(1, 100).map(() => 1)];
  raw.sendMessages(`["subscribe",1,null,"textsSoon",[[${sizes}]]]`);
  await raw.until(([kind]) => kind === 'window');
  raw.sendMessages('["ack",1,11]');
  // The object sends the whole window, even if the client has acknowledged only the first items.
  await raw.until(([kind, , index]) => kind === 'next' && index === 11 + 64);
});

test('an item of a mebibyte is sent, and a larger item is not', async () => {
  const { raw } = serve();
  const most = MAX_ITEM_SIZE - '["next",1,1,""]'.length;
  const [, item] = await raw.exchange(`["subscribe",1,null,"texts",[[${most}]]]`);
  expect(String(item?.[3])).toHaveLength(most);
  const [, complete] = await raw.exchange(`["subscribe",1,null,"texts",[[${most + 1}]]]`);
  expect(thrownBy(complete)).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'the size of an item is at most 1048576',
  });
});
