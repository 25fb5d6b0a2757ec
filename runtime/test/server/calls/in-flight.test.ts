/**
 * Tests how much memory running and waiting calls and subscriptions may hold, and how many calls a
 * message may list.
 */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import { compileContract, type ContractOptions, live, streamOf } from '../../../src/server.ts';
import { sizeOf, weightOf } from '../../../src/server/base/sizes.ts';
import { encodeCall } from '../../../src/wire/messages.ts';
import { CALLS_IN_FLIGHT } from '../../../src/wire/limits.ts';
import { openSocket } from '../../support/open-socket.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

class Things {
  #release = Promise.withResolvers<void>();
  readonly ran: string[] = [];

  one(): number {
    return 1;
  }

  async slow(text = ''): Promise<number> {
    await this.#release.promise;
    return text.length;
  }

  async hold(value: unknown): Promise<number> {
    await this.#release.promise;
    return Array.isArray(value) ? value.length : 0;
  }

  release(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  echo(value?: unknown): unknown {
    this.ran.push('echo');
    return value ?? null;
  }

  live(value?: unknown): unknown {
    return value ?? null;
  }

  async collect(name: string, all: AsyncIterable<unknown>): Promise<[string, unknown[]]> {
    return [name, await Array.fromAsync(all)];
  }

  async both(
    name: string,
    one: AsyncIterable<unknown>,
    other: AsyncIterable<unknown>,
  ): Promise<unknown[]> {
    return [name, await Array.fromAsync(one), await Array.fromAsync(other)];
  }
}

const entries = {
  one: [],
  slow: [Type.Optional(Type.String())],
  release: [],
  hold: [Type.Unknown()],
  echo: [Type.Optional(Type.Unknown())],
  live: live([Type.Optional(Type.Unknown())]),
  collect: [Type.String(), streamOf(Type.Unknown())],
  both: [Type.String(), streamOf(Type.Unknown()), streamOf(Type.Unknown())],
};

function serve(limits: ContractOptions['limits'] = {}): { raw: RawConnection; things: Things } {
  const things = new Things();
  return { raw: openPort(things, compileContract(entries, { limits })), things };
}

/** Returns a call whose argument is a list of a value and the result of call 1. */
function waiting(id: number, method: string, value: string): string {
  return `[${id},"${method}","rich",[[[[${value},[1]]]],["Call",1]]]`;
}

const LARGE = JSON.stringify('x'.repeat(1_000));

describe('a value that occurs many times in itself', () => {
  // A walk that repeats each occurrence would never end.
  const twice: unknown[] = [];
  twice.push(twice, twice);

  test('is counted while its call runs', async () => {
    const { raw } = serve();
    raw.sendMessages(encodeCall(1, 'hold', [twice]));
    expect(await raw.ask('[2,"one"]')).toBe('[[2,1]]');
    raw.sendMessages('[3,"release"]');
    expect(await raw.until(([id]) => id === 1)).toContainEqual([1, 2]);
  });
});

describe('limits.memoryPerClient', () => {
  test('waiting calls are refused beyond the limit, and have not run', async () => {
    const { raw, things } = serve({ memoryPerClient: 3_000 });
    raw.sendMessages('[1,"slow"]');
    raw.sendMessages(waiting(2, 'echo', LARGE), waiting(3, 'echo', LARGE));
    expect(await raw.ask(waiting(4, 'echo', LARGE))).toContain(
      '[4,"error",[["Error","RpcError","RpcError","memoryPerClient is at most 3000"',
    );
    expect(things.ran).toEqual([]);
    // The waiting calls have not been lost.
    raw.sendMessages('[5,"release"]');
    let answered = '';
    while (!answered.includes('[3,')) answered += await raw.next();
    for (const start of ['[5]', '[1,0]', '[2,', '[3,']) expect(answered).toContain(start);
    expect(things.ran).toEqual(['echo', 'echo']);
    // There is room again.
    expect(await raw.ask(`[6,"echo",[${LARGE}]]`)).toContain('[6,"xxx');
  });

  test('asynchronous calls hold their arguments while they run', async () => {
    const { raw } = serve({ memoryPerClient: 2_000 });
    raw.sendMessages(`[1,"slow",[${LARGE}]]`);
    raw.sendMessages(`[2,"slow",[${LARGE}]]`);
    expect(await raw.ask('[3,"one"]')).toContain('memoryPerClient is at most 2000');
  });

  test('synchronous calls do not count', async () => {
    const { raw } = serve({ memoryPerClient: 10 });
    for (let id = 1; id <= 5; id++) {
      expect(await raw.ask(`[${id},"echo",[${LARGE}]]`)).toContain(`[${id},"xxx`);
    }
  });

  test('small values count with the memory that they take', async () => {
    const { raw } = serve({ memoryPerClient: 100_000 });
    raw.sendMessages('[1,"slow"]');
    // 30 kB of text with 10 000 values.
    const dense = `[${Array(10_000).fill('[]').join()}]`;
    expect(await raw.ask(waiting(2, 'echo', dense))).toContain('memoryPerClient is at most 100000');
  });

  test('waiting subscriptions count too', async () => {
    const { raw } = serve({ memoryPerClient: 3_000 });
    raw.sendMessages('[1,"slow"]');
    const subscribe = (n: number): string => `["subscribe",${n},null,["live",1],[${LARGE}]]`;
    raw.sendMessages(subscribe(1), subscribe(2));
    expect(await raw.ask(subscribe(3))).toContain('memoryPerClient is at most 3000');
    raw.sendMessages('["unsubscribe",1]', '[5,"release"]');
    await raw.next();
  });

  test('a weight counts each value, and a size only the text that is sent', () => {
    const message = [7, 'echo', [{ key: ['text', 1, null] }]];
    expect(sizeOf(message)).toBe(22);
    expect(weightOf(message)).toBe(22 + 24 * 9);
  });
});

describe('messages about calls', () => {
  test.each(['awaits', 'cancel'])(
    '%s lists at most as many calls as may be in flight',
    async (kind) => {
      const { raw } = serve();
      const list = (count: number): string =>
        `["${kind}",1,${Array.from({ length: count }, (_, index) => 10 + 2 * index)}]`;
      expect(await raw.ask(list(CALLS_IN_FLIGHT - 1), '[9,"one"]')).toBe('[[9,1]]');
      expect(await raw.ask(list(CALLS_IN_FLIGHT + 1), '[10,"one"]')).toContain(
        `the number of calls in a message is at most ${CALLS_IN_FLIGHT}`,
      );
    },
  );
});

test('a waiting call opens no stream if its method takes none', async () => {
  const { raw } = serve();
  const streams = Array.from({ length: 3 }, (_, index) => `["Stream",${index + 1}]`);
  raw.sendMessages('[1,"slow"]', `[2,"echo","rich",[[[1]],["Call",1],${streams}]]`);
  // An open stream would refuse the 65th item, and a second stream with the same number.
  const flood = Array.from({ length: 70 }, (_, index) => `["item",1,${index + 1},"x"]`);
  expect(await raw.ask(...flood, '[3,"one"]')).toBe('[[3,1]]');
});

test('a waiting call opens as many streams as its method takes', async () => {
  const { raw } = serve();
  raw.sendMessages(
    '[1,"slow"]',
    '[2,"collect","rich",[[[[1]],[2]],["Call",1],["Stream",1],["Stream",2]]]',
  );
  const flood = Array.from({ length: 70 }, (_, index) => `["item",2,${index + 1},"x"]`);
  expect(await raw.ask(...flood, '["item",1,1,"a"]', '["end",1,1]', '[3,"one"]')).toBe('[[3,1]]');
});

test.each<[string, streamId: number, error: string]>([
  ['a malformed stream', 0, 'Malformed value'],
  ['a stream of another call', 1, 'already belongs to call 2'],
  ['one stream more than its method takes', 2, 'argumentStreams is at most 1'],
])('a waiting call with %s rejects alone', async (_, streamId, error) => {
  const { raw } = serve({ argumentStreams: 1 });
  const collect = (id: number, stream: number): string =>
    `[${id},"collect","rich",[[[[1]],[2]],["Call",1],["Stream",${stream}]]]`;
  raw.sendMessages('[1,"slow"]', collect(2, 1));
  const answers = await raw.ask(collect(3, streamId), '[4,"one"]');
  expect(answers).toContain('[3,"error"');
  expect(answers).toContain(error);
  expect(answers).toContain('[4,1]');
});

test('a waiting call that is refused holds no stream', async () => {
  const { raw } = serve({ argumentStreams: 2 });
  const collect = (id: number, ...streams: number[]): string =>
    `[${id},"both","rich",[[[[1]],[2],[3]],["Call",1],${streams.map((one) => `["Stream",${one}]`)}]]`;
  raw.sendMessages('[1,"slow"]');
  expect(await raw.ask(collect(2, 1, 0))).toContain('[2,"error"');
  // The first stream of the refused call would be the third stream.
  expect(await raw.ask(collect(3, 2, 3), '[4,"one"]')).toBe('[[4,1]]');
});

test('ids of calls that never arrived count as rejected messages', async () => {
  const socket = await openSocket('HIBERNATING', 'unknown ids', 'unknown-ids');
  const closed = new Promise<number>((resolve) =>
    socket.addEventListener('close', ({ code }) => resolve(code)),
  );
  for (const first of [10_000, 100_000]) {
    const ids = Array.from({ length: 9_000 }, (_, index) => first + 2 * index);
    socket.send(`[["awaits",1,${ids}]]`);
  }
  expect(await closed).toBe(4429);
});
