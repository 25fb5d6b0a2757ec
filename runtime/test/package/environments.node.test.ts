/**
 * A client uses nothing of its environment when it is imported or created, and a global of a
 * browser, of Node or of Workers only when it needs one.
 */
import vm from 'node:vm';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

/** The globals of ECMAScript 2024. A new context has them, and some others. */
const LANGUAGE = new Set(
  `globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI
  encodeURIComponent AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
  EvalError FinalizationRegistry Float32Array Float64Array Function Int8Array Int16Array Int32Array Map Number Object
  Promise Proxy RangeError ReferenceError RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError Uint8Array
  Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet Atomics JSON Math Reflect`.split(
    /\s+/,
  ),
);

/** Globals of pages, service workers, Node and Workers. */
const OTHERS = [
  ...Object.getOwnPropertyNames(globalThis),
  ...'WebSocket WebSocketPair caches document indexedDB location navigator self window HTMLElement'.split(
    ' ',
  ),
  ...'addEventListener removeEventListener importScripts skipWaiting clients registration'.split(
    ' ',
  ),
].filter((name) => !LANGUAGE.has(name));

/**
 * Creates a context with only the globals of the language. It records which other globals are
 * looked up.
 */
function environment(): { run: (code: string) => unknown; taken: string[] } {
  const context = vm.createContext();
  const taken: string[] = [];
  const run = (code: string): unknown => vm.runInContext(code, context);
  for (const name of run('Object.getOwnPropertyNames(globalThis)') as string[]) {
    if (!LANGUAGE.has(name)) run(`delete globalThis[${JSON.stringify(name)}]`);
  }
  // Resembles an engine without explicit resource management. The symbols themselves cannot be
  // deleted.
  run(`globalThis.Symbol = ((Own) => {
    const Old = (description) => Own(description);
    for (const key of Reflect.ownKeys(Own)) {
      if (!['dispose', 'asyncDispose', 'length', 'name', 'prototype'].includes(key)) Old[key] = Own[key];
    }
    Old.for = (key) => Own.for(key);
    return Old;
  })(Symbol);`);
  for (const name of new Set(OTHERS)) {
    Object.defineProperty(context, name, {
      configurable: true,
      get: () => void taken.push(name),
    });
  }
  return { run, taken };
}

/** Bundles a script with all its imports. The global `own` has its exports. */
async function script(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'own',
    // Lowers \`using\` for engines without it.
    target: 'es2022',
    treeShaking: false,
    ignoreAnnotations: true,
    external: ['cloudflare:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** A transport that answers each call with 5, and uses no global. */
const TRANSPORT = `
  const transport = {
    address: 'here',
    isDuplex: true,
    connect(events) { this.events = events; events.opened(); },
    send(frame) {
      const ids = JSON.parse(frame).map(([id]) => id).filter((id) => typeof id === 'number');
      Promise.resolve().then(() => this.events.received(JSON.stringify(ids.map((id) => [id, 5]))));
    },
    close() {},
  };`;

describe('no global is used', () => {
  test.each(['client', 'react', 'tanstack', 'relay', 'debug'])(
    'by an import of the door %s',
    async (door) => {
      const { run, taken } = environment();
      run(await script(`export * from './${door}.ts';`));
      expect(taken).toEqual([]);
      expect((run('Object.keys(own)') as string[]).length).toBeGreaterThan(0);
    },
  );

  test('by the creation of a client, a subscription, a callback, a stream or a store', async () => {
    const { run, taken } = environment();
    run(await script(`export * from './client.ts';`));
    const made = run(`
      const { createRpcClient, capabilities, bytes, subscribe, callback, stream, liveStore, feedStore } = own;
      const { connectionState } = own;
      const { withOptions, bindingTransport, messagePortTransport, capabilityAt } = own;
      const baseUrl = 'https://example.com';
      const client = createRpcClient('COUNTER', 'x', { baseUrl, capabilities, bytes });
      const all = [
        client,
        createRpcClient('COUNTER', 'x', { baseUrl, transport: 'http' }),
        createRpcClient('COUNTER', 'x', { transport: bindingTransport({ fetch() {} }) }),
        createRpcClient('COUNTER', 'x', { transport: messagePortTransport({}) }),
        withOptions(client, { timeout: 5 }),
        capabilityAt(client, '["Session","1"]'),
        subscribe(client).getValue(),
        liveStore(client, (counter) => counter.getValue()),
        feedStore(client, (room) => room.messages(), (room, before) => room.history(before)),
        callback(() => {}),
        stream([1]),
        connectionState(client),
      ];
      all.length`);
    expect(made).toBe(12);
    expect(taken).toEqual([]);
  });
});

describe('in an engine without Symbol.dispose', () => {
  /** Runs code whose client has a transport without globals, and returns the notes of the code. */
  async function noted(code: string): Promise<unknown> {
    const { run } = environment();
    const performance = { now: () => 0 };
    run(
      `for (const name of ['performance', 'setTimeout', 'clearTimeout']) delete globalThis[name];`,
    );
    Object.assign(run('globalThis') as object, {
      performance,
      setTimeout: () => 0,
      clearTimeout: () => {},
    });
    run(
      await script(`
        import { capabilities, capabilityAt, createRpcClient, subscribe } from './client.ts';
        ${TRANSPORT}
        const notes = [];
        const client = createRpcClient('COUNTER', 'x', {
          transport,
          capabilities,
          onStateChange: (state) => notes.push(state),
        });
        export async function noted() {
          ${code}
          return notes.join();
        }`),
    );
    return run('own.noted()');
  }

  test('a client that is declared with using is closed', async () => {
    const code = '{ using counter = client; notes.push(await counter.getValue()); }';
    expect(await noted(code)).toBe('connecting,open,5,closed');
  });

  test('a client that is declared with await using is closed', async () => {
    const code = '{ await using counter = client; notes.push(await counter.getValue()); }';
    expect(await noted(code)).toBe('connecting,open,5,closed');
  });

  test('a capability that is declared with using outlasts its block', async () => {
    const code = `const session = capabilityAt(client, '["Session","1"]');
      { using own = session; }
      { await using own = session; }
      notes.push(await session.balance());`;
    expect(await noted(code)).toBe('connecting,open,5');
  });

  test('a subscription that is declared with await using ends', async () => {
    const code = `let next;
      {
        await using values = subscribe(client).getValue();
        next = values[Symbol.asyncIterator]().next();
      }
      notes.push((await next).done);`;
    expect(await noted(code)).toBe('true');
  });

  test('a polyfill that is loaded later has an effect', async () => {
    const code = `const late = Symbol('Symbol.dispose');
      client[late]();`;
    expect(await noted(code)).toBe('closed');
  });
});
