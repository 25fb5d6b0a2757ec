/** Stores of clients outside of a page: which stores share a client, and when the client is closed. */
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  clientStore,
  connectionState,
  messagePortTransport,
  type RpcClientOptions,
} from '../../src/client.ts';
import { clientKeyOf } from '../../src/client/client-store.ts';
import { compileContract, servePort } from '../../src/server.ts';

class Counter {
  value = 0;
  increment(): number {
    return ++this.value;
  }
}

const contract = compileContract({ increment: [] });
class Same {
  readonly isDuplex = true;
}
const same = new Same();
const watch = (): void => {};

test.each<[string, RpcClientOptions, RpcClientOptions, boolean]>([
  ['no options', {}, { timeout: undefined } as never, true],
  ['equal values', { timeout: 1, prefix: '/a' }, { prefix: '/a', timeout: 1 }, true],
  ['equal lists', { protocols: ['a', 'b'] }, { protocols: ['a', 'b'] }, true],
  ['lists in another order', { protocols: ['a', 'b'] }, { protocols: ['b', 'a'] }, false],
  ['other values', { timeout: 1 }, { timeout: 2 }, false],
  ['another option', { timeout: 1 }, { timeout: 1, prefix: '/a' }, false],
  ['no limit, and a limit', { connectTimeout: Infinity }, { connectTimeout: 1 }, false],
  [
    'equal objects',
    { reconnect: { minDelay: 1, maxDelay: 2 } },
    { reconnect: { maxDelay: 2, minDelay: 1 } },
    true,
  ],
  ['functions that are called later', { headers: () => ({}) }, { headers: () => ({}) }, true],
  ['a function, and a value', { headers: () => ({}) }, { headers: {} }, false],
  ['one module', { capabilities: watch }, { capabilities: watch }, true],
  ['two modules', { capabilities: watch }, { capabilities: () => {} }, false],
  ['one instance', { transport: same as never }, { transport: same as never }, true],
  ['two instances', { transport: same as never }, { transport: new Same() as never }, false],
])('%s', (_, one, other, isShared) => {
  expect(clientKeyOf('A', 'b', one) === clientKeyOf('A', 'b', other)).toBe(isShared);
  expect(clientKeyOf('A', 'b', one)).not.toBe(clientKeyOf('A', 'c', one));
  expect(clientKeyOf('A', 'b', one)).not.toBe(clientKeyOf('B', 'b', one));
});

function served(): RpcClientOptions {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, new Counter(), contract);
  return { transport: messagePortTransport(port1) };
}

test('watchers share a client, which is closed as soon as it is idle if there is no page', async () => {
  const options = served();
  const states: (string | undefined)[] = [];
  const store = clientStore<Counter>('COUNTER', 'stored', options);
  const one = vi.fn<(client: unknown) => void>();
  const other = vi.fn<(client: unknown) => void>();
  const leaveOne = store.subscribe(one);
  const leaveOther = clientStore<Counter>('COUNTER', 'stored', { ...options }).subscribe(other);
  const client = store.get();
  expect([one.mock.calls, other.mock.calls]).toEqual([[[client]], [[client]]]);
  onTestFinished(connectionState(client).subscribe(({ state }) => states.push(state)));
  expect(await client.increment()).toBe(1);
  leaveOne();
  // A watcher that leaves twice counts once.
  leaveOne();
  expect(await client.increment()).toBe(2);
  leaveOther();
  expect(states).toEqual([undefined, 'connecting', 'open', 'closed']);
});

test('outside of a page, a store without a watcher has a client of its own', () => {
  const [one, other] = [1, 2].map(() => clientStore<Counter>('COUNTER', 'own'));
  expect(one?.get()).toBe(one?.get());
  expect(one?.get()).not.toBe(other?.get());
});
