/** The store of a connection's state reports each change to all its watchers. */
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ConnectionState,
  connectionState,
  type ConnectionStatus,
  withOptions,
} from '../../src/client.ts';
import { connect, cut } from '../../src/testing.ts';
import type { Counter } from '../../../template/src/counter.ts';

const lost = {
  reason: 'Connection closed: 1006 ',
  error: expect.objectContaining({ code: 'DISCONNECTED' }),
};

test('the store reports the state at once, and each change', async () => {
  using counter = connect<Counter>('COUNTER', 'state');
  const seen: ConnectionStatus[] = [];
  const stop = connectionState(counter).subscribe((status) => seen.push(status));
  expect(seen).toEqual([{ state: undefined }]);
  await counter.increment();
  expect(seen.slice(1)).toEqual([{ state: 'connecting' }, { state: 'open' }]);
  cut(counter);
  const [reconnecting] = seen.splice(0).slice(3);
  expect(reconnecting).toEqual({
    state: 'reconnecting',
    attempt: 1,
    delay: expect.any(Number),
    ...lost,
  });
  await counter.increment();
  expect(seen.splice(0)).toEqual([{ state: 'open' }]);
  stop();
  counter.close();
  expect(seen).toEqual([]);
  expect(connectionState(counter).get()).toMatchObject({
    state: 'closed',
    error: { code: 'CLOSED' },
  });
});

test('all options of a client share its store, whose value is the same object until it changes', async () => {
  using counter = connect<Counter>('COUNTER', 'same store');
  using other = connect<Counter>('COUNTER', 'same store');
  const store = connectionState(counter);
  expect(connectionState(withOptions(counter, { timeout: 1_000 }))).toBe(store);
  expect(connectionState(other)).not.toBe(store);
  expect(store.get()).toBe(store.get());
  await counter.increment();
  expect(store.get()).toBe(store.get());
  expect(connectionState(other).get()).toEqual({ state: undefined });
});

test('a late watcher gets the state, and the reason of a lost connection', async () => {
  using counter = connect<Counter>('COUNTER', 'late');
  await counter.increment();
  expect(connectionState(counter).get()).toEqual({ state: 'open' });
  using away = connect<Counter>('COUNTER', 'late');
  await away.increment();
  cut(away);
  expect(connectionState(away).get()).toEqual({ state: 'reconnecting', ...lost });
});

test('the option of the client is called too, and an error of either does not affect the other', async () => {
  const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
  onTestFinished(() => report.mockRestore());
  const states: ConnectionState[] = [];
  using counter = connect<Counter>('COUNTER', 'both', {
    onStateChange(state) {
      states.push(state);
      throw new Error('of the option');
    },
  });
  const seen: unknown[] = [];
  connectionState(counter).subscribe(() => {
    throw new Error('of a watcher');
  });
  connectionState(counter).subscribe(({ state }) => seen.push(state));
  await counter.increment();
  expect(states).toEqual(['connecting', 'open']);
  expect(seen).toEqual([undefined, 'connecting', 'open']);
  const told = report.mock.calls.map(([error]) => (error as Error).message);
  const twice = ['of a watcher', 'of the option'];
  expect(told).toEqual(['of a watcher', ...twice, ...twice]);
});

test('a value that is not a client is rejected', () => {
  expect(() => connectionState({} as never)).toThrow('Not a client');
});
