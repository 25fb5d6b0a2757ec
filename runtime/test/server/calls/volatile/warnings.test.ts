/** Tests the warning for a volatile method that writes to the storage. */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { compileContract, feed, live, volatile } from '../../../../src/server.ts';
import { openPort } from '../../../support/open-port.ts';
import type { TestEnv } from '../../../worker.ts';

const env = bindings as TestEnv;

class Pad extends DurableObject<Env> {
  #strokes = 0;

  draw(): number {
    return ++this.#strokes;
  }

  store(): void {
    this.ctx.storage.kv.put('strokes', ++this.#strokes);
  }

  async storeSoon(): Promise<void> {
    this.ctx.storage.kv.put('strokes', ++this.#strokes);
    await undefined;
  }

  append(): void {
    feed(this, 'strokes').append('a');
  }

  storeAndThrow(): never {
    this.store();
    throw new Error('stored');
  }

  strokes(): number {
    return this.#strokes;
  }

  journaled(): void {
    this.store();
  }
}

const contract = () =>
  compileContract({
    draw: volatile(),
    store: volatile(),
    storeSoon: volatile(),
    append: volatile(),
    storeAndThrow: volatile(),
    strokes: live(),
    journaled: [],
  });

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeEach(() => warn.mockClear());

/** @returns the warnings after two calls of a method */
async function warningsOf(method: string, instance?: object): Promise<unknown[]> {
  return runInDurableObject(env.HIBERNATING.getByName(`writes ${method}`), async (_, state) => {
    const port = openPort(instance ?? new Pad(state, env), contract());
    await port.ask(`[1,"${method}"]`);
    await port.ask(`[2,"${method}"]`);
    return warn.mock.calls.map(([text]) => text);
  });
}

test.each(['store', 'storeSoon', 'append', 'storeAndThrow'])(
  'the warning for %s appears once',
  async (method) => {
    expect(await warningsOf(method)).toEqual([
      expect.stringContaining(`${method} is volatile, but has written to the storage`),
    ]);
  },
);

test.each(['draw', 'strokes', 'journaled'])('there is no warning for %s', async (method) => {
  expect(await warningsOf(method)).toEqual([]);
});

test('an object without a storage runs its volatile methods', async () => {
  const instance = { draw: () => 7, store() {}, storeSoon() {}, append() {}, storeAndThrow() {} };
  const whole = { ...instance, strokes: () => 0, journaled() {} };
  expect(await warningsOf('draw', whole)).toEqual([]);
});
