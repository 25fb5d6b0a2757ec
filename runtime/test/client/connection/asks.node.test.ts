/**
 * A client asks by a request why its upgrade failed. The request carries what the upgrade carries, and its response
 * names the cause.
 */
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../../src/client.ts';
import { RouterHooks } from '../../served/router-hooks.ts';
import { serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { movableClock } from '../../support/clock.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { WebSocketClass } from '../../../src/client/options.ts';

const worker = await serve();
const hooks = new RouterHooks(worker.runtime.url);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A WebSocket that sends headers, as the class of the package `ws` does. */
class WebSocketWithHeaders extends WebSocket {
  constructor(url: string, protocols: string[], options?: { headers?: Record<string, string> }) {
    // The WebSocket of Node accepts headers, and its types do not say so.
    super(url, { protocols, ...options } as never);
  }
}

/** A proxy between a client and the worker. It records each request, and can hold upgrades back. */
class Proxy implements Disposable {
  readonly seen: IncomingMessage[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param onUpgrade - handles each upgrade, which is not passed on */
  constructor(onUpgrade: (socket: Socket) => void) {
    const { port } = worker.runtime;
    this.#server = createServer((incoming, response) => {
      this.seen.push(incoming);
      const { method, url: path, headers } = incoming;
      const forwarded = httpRequest({ port, host: '127.0.0.1', method, path, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(response);
      });
      incoming.pipe(forwarded);
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    });
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      this.seen.push(incoming);
      onUpgrade(socket);
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

type OnUpgrade = (socket: Socket) => void;

/** Answers an upgrade with a response without a body. */
function answer(status: string): OnUpgrade {
  const head = `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close`;
  return (socket) => {
    socket.end(`${head}\r\n\r\n`);
  };
}

/** The ways to send a token. A class of WebSocket that adds it to the upgrade needs a `fetch` that adds it, too. */
const token = 'abc-123';
const cookie = `session=${token}`;
const WAYS: Record<string, RpcClientOptions> = {
  subprotocol: { protocols: [token] },
  'subprotocol of a function': { protocols: async () => [token] },
  header: { WebSocket: WebSocketWithHeaders as WebSocketClass, headers: { Authorization: token } },
  'header of a function': {
    WebSocket: WebSocketWithHeaders as WebSocketClass,
    headers: async () => ({ Authorization: token }),
  },
  cookie: { WebSocket: WebSocketWithHeaders as WebSocketClass, headers: { Cookie: cookie } },
  query: {
    WebSocket: class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(`${url}?token=${token}`, protocols);
      }
    } as WebSocketClass,
    fetch: ((url: string, init: RequestInit) =>
      fetch(`${url}?token=${token}`, init)) as typeof fetch,
  },
};

describe.each(Object.entries(WAYS))('a hook that decides by a %s', (way, options) => {
  const connectTo = (instance: string, more: RpcClientOptions = {}): RpcClient<Default> =>
    worker.connect(instance, { ...options, ...more });

  test('lets in', async () => {
    await hooks.letIn(`let in by ${way}`, token);
    using client = connectTo(`let in by ${way}`);
    expect(await client.add()).toBe(1);
  });

  test('rejects another token for good', async () => {
    await hooks.letIn(`not let in by ${way}`, 'another');
    using client = connectTo(`not let in by ${way}`);
    expect(await failureOf(client.add())).toMatchObject({
      code: 'UNAUTHORIZED',
      maybeExecuted: false,
    });
  });

  test('gets the same token in the question, if only the upgrade failed', async () => {
    const instance = `failed for a moment by ${way}`;
    await hooks.letIn(instance, token);
    let failures = 0;
    using proxy = await new Proxy((socket) => {
      if (++failures < 3) return answer('502 Bad Gateway')(socket);
      const through = connect(worker.runtime.port, '127.0.0.1');
      through.write(rawHead(proxy.seen.at(-1) as IncomingMessage));
      socket.pipe(through).pipe(socket);
    }).listen();
    using client = connectTo(instance, { baseUrl: proxy.url });
    // A hook that did not get the token would have rejected the client for good.
    expect(await client.add()).toBe(1);
    expect(failures).toBe(3);
  });

  test.each([429, 503])(
    'may answer the question with %i, which stays temporary',
    async (status) => {
      const instance = `busy by ${way}, ${status}`;
      await hooks.letIn(instance, token);
      await hooks.refuse(instance, status);
      const states: unknown[] = [];
      const refused = Promise.withResolvers<void>();
      using client = connectTo(instance, {
        onStateChange(state, { error }) {
          states.push(state);
          if (error?.status === status) refused.resolve();
        },
      });
      const call = client.add();
      await refused.promise;
      await hooks.refuse(instance, 0);
      expect(await call).toBe(1);
      expect(states).not.toContain('closed');
    },
  );
});

/** Returns the head of a request as it was received. */
function rawHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

test('the global WebSocket cannot send headers, and the error at creation says what to use', () => {
  const options = { baseUrl: worker.runtime.url, headers: { Authorization: 'x' } };
  expect(() => createRpcClient<Default>('DEFAULT', 'headers', options)).toThrow(
    new TypeError('A WebSocket has no headers: use protocols'),
  );
  using overHttp = createRpcClient<Default>('DEFAULT', 'x', { ...options, transport: 'http' });
  expect(overHttp).toBeDefined();
});

describe.each<[how: string, onUpgrade: OnUpgrade]>([
  ['rejects them with 403', answer('403 Forbidden')],
  ['rejects them with 426', answer('426 Upgrade Required')],
  ['answers them with 200', answer('200 OK')],
  ['cuts them', (socket) => socket.destroy()],
  ['holds them back', () => {}],
])('a proxy that passes requests on, but no upgrades: it %s', (_, onUpgrade) => {
  test.each([
    ['the global WebSocket', {}],
    ['a WebSocket with headers', { WebSocket: WebSocketWithHeaders as WebSocketClass }],
  ])('%s: the state has the reason at once, and so has the rejection', async (__, options) => {
    using proxy = await new Proxy(onUpgrade).listen();
    const reason = Promise.withResolvers<string | undefined>();
    using client = worker.connect('behind a proxy', {
      baseUrl: proxy.url,
      connectTimeout: 400,
      onStateChange: (state, detail) => state === 'reconnecting' && reason.resolve(detail.reason),
      ...options,
    });
    const call = failureOf(client.add());
    const told =
      /^The server answered 426: HTTP works, but WebSockets do not: a proxy or a Content Security Policy .*transport: 'http' \(http/;
    expect(await reason.promise).toMatch(told);
    movableClock().ahead = 8_000;
    expect(await call).toMatchObject({
      code: 'UNAVAILABLE',
      maybeExecuted: false,
      message: expect.stringMatching(told),
    });
    using overHttp = worker.connect('behind a proxy', { baseUrl: proxy.url, transport: 'http' });
    expect(await overHttp.count()).toBe(0);
  });
});

test('an engine without WebSocket, such as Node 20, is named in the reason', async () => {
  vi.stubGlobal('WebSocket', undefined);
  using client = worker.connect('no WebSocket');
  const call = failureOf(client.add());
  setTimeout(() => (movableClock().ahead = 8_000), 100);
  expect(await call).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /there are none, as in Node 20 \(option WebSocket\)\. Use transport/,
    ),
  });
});

describe('an engine without crypto, such as React Native', () => {
  const named = expect.stringMatching(/crypto/);

  test('is final over a WebSocket, and the error says what to import', async () => {
    vi.stubGlobal('crypto', undefined);
    using client = worker.connect('no crypto');
    expect(await failureOf(client.add())).toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringMatching(/crypto\.getRandomValues: import .*react-native-get-random/),
    });
  });

  test('is named over HTTP', async () => {
    vi.stubGlobal('crypto', undefined);
    const reason = Promise.withResolvers<string | undefined>();
    using client = worker.connect('no crypto', {
      transport: 'http',
      onStateChange: (state, detail) => state === 'reconnecting' && reason.resolve(detail.reason),
    });
    const call = failureOf(client.add());
    expect(await reason.promise).toEqual(named);
    movableClock().ahead = 8_000;
    expect(await call).toMatchObject({ code: 'DISCONNECTED', message: named });
  });
});

test.each([
  ['a=b', '"="'],
  ['a/b', '"/"'],
  ['a b', '" "'],
  ['a,b', '","'],
  ['a"b', '"\\""'],
  ['tök', '"ö"'],
  ['a€', '"€"'],
  ['🙂', '"🙂"'],
  ['a\nb', '"\\n"'],
  ['a%b c', '" "'],
  ['', 'an empty text'],
  ['lumenize-rpc.1', 'a text twice'],
])(
  'a protocol that cannot be sent is final, and the error names the reason: %j',
  async (protocol, named) => {
    for (const WebSocket of [undefined, WebSocketWithHeaders as WebSocketClass]) {
      using client = worker.connect('protocols', {
        protocols: [protocol],
        ...(WebSocket && { WebSocket }),
      });
      const { code, message } = await failureOf(client.add());
      expect(code).toBe('BAD_RESPONSE');
      expect(message).toContain("The option 'protocols' ");
      expect(message).toContain(named);
      expect(message).toContain('use letters, digits and');
    }
  },
);

test('each character that a protocol can have reaches the hook', async () => {
  const all = "token.AZaz09!#$%&'*+-.^_`|~";
  using client = worker.connect('all characters', { protocols: [all] });
  expect(await client.add()).toBe(1);
  await hooks.refuse('all characters refused', 403);
  using refused = worker.connect('all characters refused', { protocols: [all] });
  expect(await failureOf(refused.add())).toMatchObject({ code: 'FORBIDDEN' });
  for (const question of await hooks.asked('all characters refused')) {
    expect(question.split(/,? /)).toContain(all);
  }
});

test('a redirect to a login page is reported with the address of that page', async () => {
  const login = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Log in</title>');
  });
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve));
  const loginUrl = `http://127.0.0.1:${(login.address() as AddressInfo).port}/login`;
  const gate = createServer(
    (_, response) => void response.writeHead(302, { Location: loginUrl }).end(),
  );
  gate.on('upgrade', (__, socket: Socket) => answer(`302 Found\r\nLocation: ${loginUrl}`)(socket));
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  for (const transport of ['websocket', 'http'] as const) {
    const reason = Promise.withResolvers<string | undefined>();
    using client = worker.connect('login', {
      baseUrl,
      transport,
      onStateChange: (state, detail) => state === 'reconnecting' && reason.resolve(detail.reason),
    });
    void failureOf(client.add()).catch(() => {});
    expect(await reason.promise).toBe(
      `The server answered 200: <title>Log in</title> (${loginUrl})`,
    );
  }
  login.closeAllConnections();
  login.close();
  gate.closeAllConnections();
  gate.close();
});

describe('a value that cannot be sent', () => {
  class Money {
    amount = 5;
  }

  test.each<[name: string, args: unknown[], message: string]>([
    ['an instance', [new Money()], 'add: Cannot send an instance of Money at [0]: send plain data'],
    [
      'a part',
      [{ price: [new Money()] }],
      'add: Cannot send an instance of Money at [0].price[0]: send plain data',
    ],
    ['a symbol', [Symbol('x')], 'add: Cannot send a symbol at [0]: send plain data'],
    ['a promise', [Promise.resolve()], 'add: Cannot send a promise at [0]: await it first'],
  ])('%s rejects with the method, the path, and what to do', async (_, args, message) => {
    using client = worker.connect('unsendable');
    const add = client.add as (...given: unknown[]) => Promise<unknown>;
    for (let round = 0; round < 2; round++) {
      expect(await failureOf(add(...args))).toMatchObject({ code: 'UNSERIALIZABLE', message });
    }
  });
});
