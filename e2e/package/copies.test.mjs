/**
 * Tests two copies of the package in one program, as a monorepo can have. A value that one copy has made works in the
 * other copy, or causes a clear error.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { write } from '../setup/projects.mjs';
import { REPOSITORY } from '../setup/outside.mjs';
import { temporaryPlace, VENDOR, writeProject } from './place.mjs';

const { root } = temporaryPlace('package-copies');
for (const copy of ['one', 'other']) fs.cpSync(VENDOR, join(root, copy), { recursive: true });

/** The client halves of both copies. @type {any} */
const [one, other] = await Promise.all(
  ['one', 'other'].map((copy) => import(pathToFileURL(join(root, copy, 'dist/client.js')).href)),
);

const WORKER = `import { DurableObject } from 'cloudflare:workers';
import * as Type from './one/dist/typebox.js';
import * as one from './one/dist/server.js';
import * as other from './other/dist/server.js';

const functions = {
  feed: (object) => one.feed(object, 'messages'),
  changed: (object) => one.changed(object),
  closeClients: (object) => one.closeClients(object, () => true),
};

const tried = (act) => {
  try {
    act();
    return 'done';
  } catch (error) {
    return error.name + ': ' + error.message;
  }
};

class Mixed extends DurableObject {
  caller() {
    return one.currentCaller();
  }
  fail() {
    throw new one.RpcError('FORBIDDEN', 'not you', { status: 403 });
  }
  use(name) {
    return tried(() => functions[name](this));
  }
}
const contract = {
  caller: { input: [], readonly: true },
  fail: [],
  use: [Type.String()],
};
export const Counter = other.lumenizeRpcDO(Mixed, contract);

const compiled = one.compileContract(contract);
const Session = one.capability(class SessionImpl { constructor(object) {} }, [], {});

const attempts = {
  'a class that is wrapped by both': () => one.lumenizeRpcDO(Counter, contract),
  'a compiled contract': () =>
    other.handleRpcRequest(new Request('https://x/call', { method: 'POST' }), new (class {})(), compiled),
  'a capability as a result': () =>
    other.compileContract({ caller: { input: [], returns: Session } }),
  'a capability as an argument': () => other.compileContract({ use: [Session] }),
  'an error': () => {
    const error = new one.RpcError('TIMEOUT', '');
    if (!(error instanceof other.RpcError)) throw new TypeError('no RpcError');
  },
};

// Schemas are compiled only here.
const results = Object.fromEntries(Object.entries(attempts).map(([name, act]) => [name, tried(act)]));

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/attempts') {
      return Response.json(results);
    }
    return one.routeDORequest(request, env, {
      onBeforeConnect: (request) => one.withCaller(request, { user: 'ada' }),
      onBeforeRequest: (request) => one.withCaller(request, { user: 'ada' }),
    });
  },
};
`;

const OTHER_COPY = /copy of lumenize-rpc.*npm ls lumenize-rpc/s;

/** @type {Runtime} */
let runtime;

beforeAll(async () => {
  const folder = join(root, 'project');
  writeProject(folder);
  write(join(root, 'worker.js'), WORKER);
  const { outputFiles } = await build({
    entryPoints: [join(root, 'worker.js')],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    write: false,
    external: ['cloudflare:*', 'node:*'],
    nodePaths: [join(REPOSITORY, 'node_modules')],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  runtime = await Runtime.serve({ config: join(folder, 'wrangler.jsonc'), code });
  return () => runtime.kill();
});

describe('an object that one copy wraps and the other serves', () => {
  test.each(['http', 'websocket'])('sends the caller and errors, over %s', async (transport) => {
    const client = one.createRpcClient('COUNTER', transport, { baseUrl: runtime.url, transport });
    expect(await client.caller()).toEqual({ user: 'ada' });
    const error = await client.fail().catch((/** @type {unknown} */ thrown) => thrown);
    for (const { RpcError } of [one, other]) expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: 'FORBIDDEN', message: 'not you', status: 403 });
    await client.close?.();
    client[Symbol.dispose]();
  });

  test.each(['feed', 'changed', 'closeClients'])('%s of the other copy refuses', async (name) => {
    const client = one.createRpcClient('COUNTER', name, {
      baseUrl: runtime.url,
      transport: 'http',
    });
    expect(await client.use(name)).toMatch(
      /The object is served by another copy of lumenize-rpc: install one copy \(npm ls lumenize-rpc\)/,
    );
  });

  test('a value of the other copy works, or causes an error where it is used', async () => {
    const attempts = await (await fetch(`${runtime.url}/attempts`)).json();
    const { 'an error': error, ...others } = /** @type {Record<string, string>} */ (attempts);
    expect(error).toBe('done');
    for (const [name, said] of Object.entries(others)) expect(said, name).toMatch(OTHER_COPY);
  });
});

describe('in a caller', () => {
  test('both copies recognize an RpcError, and no other error', () => {
    const error = new one.RpcError('TIMEOUT', 'too late', { maybeExecuted: true });
    const Own = /** @type {any} */ (class extends other.RpcError {});
    expect(error).not.toBeInstanceOf(Own);
    expect(error).toBeInstanceOf(other.RpcError);
    expect(new Own('TIMEOUT', '')).toBeInstanceOf(one.RpcError);
    for (const value of [
      new Error('x'),
      { code: 'TIMEOUT' },
      Object.create(null),
      null,
      undefined,
      1,
      'x',
    ]) {
      expect(value instanceof one.RpcError).toBe(false);
    }
  });

  test('subscribe refuses a client of the other copy', () => {
    const client = one.createRpcClient('COUNTER', 'mine', { baseUrl: runtime.url });
    expect(() => other.subscribe(client)).toThrow(TypeError);
    client[Symbol.dispose]();
  });
});
