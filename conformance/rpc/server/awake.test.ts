/** Timers keep an object awake while it waits for a client, and no longer. */
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { compileContract, items, servePort } from '../../../template/src/rpc/server.ts';

class Waiting {
  #open = (): void => {};
  readonly #gate = new Promise<void>((resolve) => (this.#open = resolve));

  open(): void {
    this.#open();
  }

  ask(callback: () => Promise<number>): Promise<number> {
    return callback();
  }

  async sum(numbers: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const number of numbers) sum += number;
    return sum;
  }

  async *count(): AsyncGenerator<number> {
    yield 1;
    await this.#gate;
  }

  async *rows(after = 0): AsyncGenerator<{ id: number }> {
    await this.#gate;
    if (after === 0) yield { id: 1 };
  }
}

/** Far more than it takes on any machine. */
const PATIENT = { timeout: 50_000 };

const contract = compileContract({
  open: [],
  ask: [Type.Function([], Type.Integer())],
  sum: [items(Type.Integer())],
  count: { input: [], readonly: true },
  rows: { input: [Type.Optional(Type.Integer())], readonly: true, cursor: 'id' },
});

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
});

afterEach(() => void vi.useRealTimers());

test.each([
  ['a callback', '[1,"ask","rich",[[[[1]]],["Function",1]]]', /"call",(\d+)/, '["return",$1,5]'],
  ['a stream', '["subscribe",1,null,"count"]', /"next"/, '[1,"open"],["unsubscribe",1]'],
  ['rows', '["subscribe",1,null,"rows"]', /"subscribed"/, '[1,"open"]'],
  [
    'the stream of an argument',
    '[1,"sum","rich",[[[[1]]],["Stream",1]]],["item",1,1,5]',
    undefined,
    '["end",1,1]',
  ],
])('%s', async (_, begins, hears, ends) => {
  const { port, received } = connect();
  port.postMessage(`[${begins}]`);
  await expect.poll(() => vi.getTimerCount(), PATIENT).toBe(1);
  if (hears) await expect.poll(received, PATIENT).toMatch(hears);
  const [, k = ''] = hears?.exec(received()) ?? [];
  port.postMessage(`[${ends.replace('$1', k)}]`);
  await expect.poll(() => vi.getTimerCount(), PATIENT).toBe(0);
  await expect.poll(received, PATIENT).toMatch(/\[1,5\]|\[1\]|"complete",1/);
});

test('a stream whose end the client does not confirm, and of which it hears no more', async () => {
  const { port, received } = connect();
  port.postMessage('[["subscribe",1,null,"count"],[1,"open"]]');
  await expect.poll(received, PATIENT).toContain('"complete",1');
  for (let minute = 0; minute < 3; minute++) vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  port.postMessage('[[2,"open"]]');
  await expect.poll(received, PATIENT).toContain('[2]');
  expect(received().match(/"complete"/g)).toHaveLength(1);
});

/** @returns the client's end of a port, and what has arrived there */
function connect(): { port: MessagePort; received: () => string } {
  const { port1: port, port2 } = new MessageChannel();
  const served = servePort(port2, new Waiting(), contract);
  onTestFinished(() => served.close());
  let received = '';
  port.addEventListener('message', (event) => {
    received += String((event as MessageEvent).data);
  });
  port.start();
  return { port, received: () => received };
}
