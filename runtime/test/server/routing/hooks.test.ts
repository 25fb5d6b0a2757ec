/**
 * Tests the hooks and the check of a request's origin, which run between the router and the object.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { type Hook, type RouteOptions, routeDORequest, withCaller } from '../../../src/server.ts';
import { callerOf } from '../../../src/server/base/caller.ts';

const URL_OF_CALL = 'https://example.com/__rpc/COUNTER/hooks/call';

function post(headers: Record<string, string> = {}): Request {
  return new Request(URL_OF_CALL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '[[1,"getValue"]]',
  });
}

function upgrade(headers: Record<string, string> = {}): Request {
  return new Request(URL_OF_CALL, {
    headers: { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': 'lumenize-rpc.1', ...headers },
  });
}

async function route(request: Request, options: RouteOptions = {}): Promise<Response> {
  const response = await routeDORequest(request, env, options);
  if (!response) throw new Error('The router passed the request on');
  response.webSocket?.accept();
  response.webSocket?.close();
  return response;
}

/** Receives the warnings about refused origins. */
let warn: MockInstance<typeof console.warn>;

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describe('a hook', () => {
  test('runs for its kind of request, and receives the addressed object', async () => {
    const onBeforeConnect = vi.fn<Hook>();
    const onBeforeRequest = vi.fn<Hook>();
    await route(post(), { onBeforeConnect, onBeforeRequest });
    expect(onBeforeRequest.mock.calls[0]?.[1]).toEqual({ binding: 'COUNTER', instance: 'hooks' });
    expect(onBeforeConnect).not.toHaveBeenCalled();
    await route(upgrade(), { onBeforeConnect, onBeforeRequest });
    expect(onBeforeConnect).toHaveBeenCalledOnce();
    expect(onBeforeRequest).toHaveBeenCalledOnce();
  });

  test.each<[string, () => Request, boolean]>([
    ['an upgrade in capitals', () => upgrade({ Upgrade: 'WebSocket' }), true],
    ['an upgrade with the header of a probe', () => upgrade({ 'lumenize-rpc-probe': 'x' }), true],
    ['a POST with the header of an upgrade', () => post({ Upgrade: 'websocket' }), false],
    [
      'a POST with the header of a preflight',
      () => post({ 'Access-Control-Request-Method': 'POST' }),
      false,
    ],
  ])('recognizes %s', async (_, request, isUpgrade) => {
    const asked: string[] = [];
    const hook =
      (name: string): Hook =>
      ({ method }) => {
        asked.push(`${name} ${method}`);
        return new Response(null, { status: 402 });
      };
    const options = { onBeforeConnect: hook('connect'), onBeforeRequest: hook('request') };
    expect((await route(request(), options)).status).toBe(402);
    expect(asked).toEqual([isUpgrade ? 'connect GET' : 'request POST']);
  });

  test.each(['WebSocket', 'websocket'])(
    'and the object recognize an upgrade: %s',
    async (Upgrade) => {
      const response = await route(upgrade({ Upgrade }));
      expect(response.status).toBe(101);
      expect(response.headers.get('Sec-WebSocket-Protocol')).toBe('lumenize-rpc.1');
    },
  );

  test('does not see a caller that a request to the Worker claims', async () => {
    const onBeforeRequest = vi.fn<Hook>();
    await route(withCaller(post(), { user: 'Eve' }), { onBeforeRequest });
    const [seen] = onBeforeRequest.mock.calls[0] as [Request, ...unknown[]];
    expect(callerOf(seen)).toEqual({});
  });

  test.each([
    ['4 000 characters, with an identity', 1_000, 3_000, true],
    ['a larger identity', 1_000, 3_001, false],
    ['2 000 characters, which are also its identity', 2_000, undefined, true],
    ['2 001 characters, which are also its identity', 2_001, undefined, false],
  ])('names a caller of %s', async (_, size, length, isTaken) => {
    const identity = length === undefined ? undefined : 'i'.repeat(length);
    const caller = 'c'.repeat(size - '""'.length);
    const name = (): Request => withCaller(post(), caller, identity);
    if (!isTaken) expect(name).toThrow(RangeError);
    else expect(callerOf(name())).toEqual({ caller, owner: identity ?? JSON.stringify(caller) });
  });

  test('receives a probe in the form of its upgrade', async () => {
    const onBeforeConnect = vi.fn<Hook>();
    const ofPost = { Accept: 'text/plain', Referer: 'https://example.com', Cookie: 'a=1' };
    const probe = { 'lumenize-rpc-probe': 'token.x,token.%7Ey', ...ofPost };
    await route(post(probe), { onBeforeConnect });
    const [{ method, headers }] = onBeforeConnect.mock.calls[0] as [Request, ...unknown[]];
    expect({ method, ...Object.fromEntries(headers) }).toEqual({
      method: 'GET',
      connection: 'Upgrade',
      cookie: 'a=1',
      upgrade: 'websocket',
      'sec-websocket-protocol': 'token.x, token.~y',
      'sec-websocket-version': '13',
    });
  });

  test('refuses with a response', async () => {
    const refuse = async () => new Response('Pay first', { status: 402 });
    for (const request of [post(), upgrade()]) {
      const response = await route(request, { onBeforeConnect: refuse, onBeforeRequest: refuse });
      expect([response.status, await response.text()]).toEqual([402, 'Pay first']);
    }
  });

  test('replaces the request', async () => {
    const onBeforeRequest = (request: Request) =>
      new Request(request, { method: 'POST', body: '[[7,"increment",[5]]]' });
    const response = await route(post(), { onBeforeRequest });
    expect(await response.text()).toBe('[[7,5]]');
  });

  test('that throws is answered with 500 and reported, and the response does not have its message', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = new Error('secret');
    const onBeforeRequest = () => Promise.reject(failure);
    const response = await route(post(), { onBeforeRequest });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(report).toHaveBeenCalledWith(failure);
  });

  test('does not run for a page that is not allowed', async () => {
    const onBeforeRequest = vi.fn<Hook>();
    const request = post({ Origin: 'https://evil.example' });
    expect((await route(request, { onBeforeRequest })).status).toBe(403);
    expect(onBeforeRequest).not.toHaveBeenCalled();
  });
});

const OTHER = 'https://other.example';

const preflight = (asked?: string): Request =>
  new Request(URL_OF_CALL, {
    method: 'OPTIONS',
    headers: {
      Origin: OTHER,
      'Access-Control-Request-Method': 'POST',
      ...(asked && { 'Access-Control-Request-Headers': asked }),
    },
  });

function fail(): never {
  throw new Error('not today');
}

describe('a page of another origin', () => {
  const byList: RouteOptions = { cors: { origin: [OTHER] } };
  const byRequest: RouteOptions = {
    cors: { origin: (_, { url, headers }) => url === URL_OF_CALL && headers.has('Origin') },
  };
  const byFunction: RouteOptions = { cors: { origin: (origin) => origin.endsWith('r.example') } };

  test.each<[string, RouteOptions, string | undefined, boolean]>([
    ['no origin', {}, undefined, true],
    ['the same origin', {}, 'https://example.com', true],
    ['another scheme', {}, 'http://example.com', false],
    ['another port', {}, 'https://example.com:8443', false],
    ['another origin', {}, OTHER, false],
    ['an opaque origin', {}, 'null', false],
    ['any origin', { cors: true }, OTHER, true],
    ['a listed origin', byList, OTHER, true],
    ['an unlisted origin', byList, 'https://evil.example', false],
    ['an origin that begins like a listed one', byList, `${OTHER}.evil`, false],
    ['an origin that a function allows', byFunction, OTHER, true],
    ['a request that a function allows', byRequest, OTHER, true],
    ['an origin that a function refuses', byFunction, 'https://evil.com', false],
  ])('%s', async (_, options, origin, allowed) => {
    const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
    expect((await route(post(headers), options)).status).toBe(allowed ? 200 : 403);
    const { status, webSocket } = await route(upgrade(headers), options);
    expect([status, webSocket !== null]).toEqual(allowed ? [101, true] : [403, false]);
  });

  test.each<[string, RouteOptions, Record<string, string | null>]>([
    ['any origin', { cors: true }, { origin: '*', credentials: null, vary: null }],
    ['a listed origin', byList, { origin: OTHER, credentials: null, vary: 'Origin' }],
    [
      'a listed origin with credentials',
      { cors: { origin: [OTHER], credentials: true } },
      { origin: OTHER, credentials: 'true', vary: 'Origin' },
    ],
  ])('may read the answer: %s', async (_, options, expected) => {
    const { headers } = await route(post({ Origin: OTHER }), options);
    expect({
      origin: headers.get('Access-Control-Allow-Origin'),
      credentials: headers.get('Access-Control-Allow-Credentials'),
      vary: headers.get('Vary'),
    }).toEqual(expected);
  });

  test.each([true, { origin: [OTHER] }])('may call over a WebSocket: %j', async (cors) => {
    const response = await routeDORequest(upgrade({ Origin: OTHER }), env, { cors });
    const socket = response?.webSocket as WebSocket;
    const heard = new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => resolve(data));
    });
    socket.accept();
    socket.send('[[1,"getValue"]]');
    expect(await heard).toMatch(/^\[\[1,\d+\]\]$/);
    socket.close(1000);
  });

  test('the response to a request without an origin has no CORS headers', async () => {
    for (const options of [{ cors: true }, byList]) {
      const { headers } = await route(post(), options);
      const names = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials', 'Vary'];
      expect(names.filter((name) => headers.has(name))).toEqual([]);
    }
  });

  test('learns that it is not allowed, and which option would allow it', async () => {
    const response = await route(post({ Origin: OTHER }));
    expect(await response.text()).toBe(`Origin ${OTHER} is not allowed: see the option cors`);
  });

  test.each<[string, RouteOptions]>([
    ['by default', {}],
    ['if other origins are allowed with credentials', { cors: { origin: [], credentials: true } }],
    ['if the options throw', { cors: { origin: () => fail() } }],
  ])('may only read why it is refused: %s', async (_, options) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const onBeforeRequest = vi.fn<Hook>();
    for (const request of [post({ Origin: OTHER }), upgrade({ Origin: OTHER }), preflight()]) {
      const { status, headers } = await route(request, { ...options, onBeforeRequest });
      expect(status).not.toBe(200);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(OTHER);
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(headers.get('Vary')).toBe('Origin');
    }
    expect(onBeforeRequest).not.toHaveBeenCalled();
  });

  test('appears on the console once, with the option that allows it', async () => {
    const Origin = 'https://named.example';
    for (const request of [post({ Origin }), post({ Origin }), upgrade({ Origin })]) {
      await route(request, {});
    }
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`cors: { origin: ['${Origin}'] }`)]]);
  });

  test('does not fill the console with invented origins', async () => {
    for (let number = 0; number < 150; number++) {
      await route(post({ Origin: `https://${number}.example` }), {});
    }
    expect(warn.mock.calls.length).toBeLessThanOrEqual(100);
  });

  test('is added to an existing Vary', async () => {
    const onBeforeRequest = () => new Response('', { headers: { Vary: 'Accept' } });
    const response = await route(post({ Origin: OTHER }), { ...byList, onBeforeRequest });
    expect(response.headers.get('Vary')).toBe('Accept, Origin');
  });

  test('learns from a preflight which headers it may send', async () => {
    const onBeforeRequest = vi.fn<Hook>();
    const request = preflight('content-type, authorization');
    const { status, headers } = await route(request, { ...byList, onBeforeRequest });
    expect(status).toBe(204);
    expect(headers.get('Access-Control-Max-Age')).toBe('86400');
    expect(headers.get('Access-Control-Allow-Origin')).toBe(OTHER);
    expect(headers.get('Access-Control-Allow-Methods')).toBe('POST');
    expect(headers.get('Access-Control-Allow-Headers')).toBe('content-type, authorization');
    expect(onBeforeRequest).not.toHaveBeenCalled();
  });

  test('that requests no headers receives no list of headers', async () => {
    const { status, headers } = await route(preflight(), byList);
    expect(status).toBe(204);
    expect(headers.get('Access-Control-Allow-Headers')).toBeNull();
  });
});

/** The headers that a browser adds to a request by itself, whichever page sends it. */
const AMBIENT = {
  Cookie: 'session=of-ada',
  Authorization: 'Basic YWRhOnNlY3JldA==',
  'Cf-Access-Jwt-Assertion': 'of-ada',
  'Cf-Access-Authenticated-User-Email': 'ada@example.com',
};

describe('headers that a browser adds by itself stay only in requests of the own origin, or of a listed origin with credentials', () => {
  const OWN = new URL(URL_OF_CALL).origin;
  const list = (...origin: string[]): RouteOptions => ({ cors: { origin } });
  const withCredentials: RouteOptions = { cors: { origin: [OTHER], credentials: true } };
  const byFunction: RouteOptions = {
    cors: { origin: (_, { headers }) => !Object.keys(AMBIENT).some((name) => headers.has(name)) },
  };

  const KINDS: [string, (headers: Record<string, string>) => Request][] = [
    ['an upgrade', upgrade],
    ['a probe', (headers) => post({ ...headers, 'lumenize-rpc-probe': 'x' })],
    ['a POST', post],
    ['a form', (headers) => post({ ...headers, 'Content-Type': 'text/plain' })],
    ['a GET', (headers) => new Request(URL_OF_CALL, { headers })],
  ];

  test.each<[string, RouteOptions, string | undefined, boolean]>([
    ["the Worker's own origin, with cors", { cors: true }, OWN, true],
    ["the Worker's own origin, without cors", {}, OWN, true],
    ['a client without an origin', { cors: true }, undefined, true],
    ['a listed origin with credentials', withCredentials, OTHER, true],
    ['any origin', { cors: true }, OTHER, false],
    ['a listed origin', list(OTHER), OTHER, false],
    [
      'a listed origin, credentials: false',
      { cors: { origin: [OTHER], credentials: false } },
      OTHER,
      false,
    ],
    [
      'an origin that a function allows, which does not see the headers either',
      byFunction,
      OTHER,
      false,
    ],
    ['an opaque origin', { cors: true }, 'null', false],
    ['an empty origin', { cors: true }, '', false],
    ['two origins', { cors: true }, `${OWN}, ${OTHER}`, false],
    ['the own origin in capitals', { cors: true }, 'https://EXAMPLE.com', false],
    ['the own origin with a slash', { cors: true }, `${OWN}/`, false],
    ['the own origin with its default port', { cors: true }, `${OWN}:443`, false],
    ['another port', { cors: true }, `${OWN}:8443`, false],
    ['another scheme', { cors: true }, 'http://example.com', false],
    ['a subdomain', { cors: true }, 'https://evil.example.com', false],
    [
      'the public origin of a proxy',
      list('https://public.example'),
      'https://public.example',
      false,
    ],
  ])('%s', async (_, options, origin, isSeen) => {
    const seen: Record<string, string[]> = {};
    const headers: Record<string, string> = { ...AMBIENT, 'lumenize-rpc-client': 'c' };
    if (origin !== undefined) headers['Origin'] = origin;
    for (const [kind, request] of KINDS) {
      const hook: Hook = ({ headers: arrived }) => {
        seen[kind] = Object.keys(AMBIENT).filter((name) => arrived.has(name));
        expect(arrived.get('lumenize-rpc-client')).toBe('c');
        return new Response(null, { status: 402 });
      };
      const hooks = { onBeforeConnect: hook, onBeforeRequest: hook };
      expect((await route(request(headers), { ...options, ...hooks })).status).toBe(402);
    }
    const expected = isSeen ? Object.keys(AMBIENT) : [];
    expect(seen).toEqual(Object.fromEntries(KINDS.map(([kind]) => [kind, expected])));
  });

  test.each([
    ['Bearer abc', true],
    ['Token abc', true],
    ['BASIC YWRhOmI=', false],
    ['basic', false],
    ['Digest username="ada"', false],
    ['Negotiate YII', false],
    ['NTLM TlRM', false],
  ])(
    'an Authorization also stays if a page of another origin can set it: %s',
    async (Authorization, isSeen) => {
      let seen: string | null | undefined;
      const onBeforeRequest: Hook = ({ headers }) => {
        seen = headers.get('Authorization');
      };
      await route(post({ Origin: OTHER, Authorization }), { cors: true, onBeforeRequest });
      expect(seen).toBe(isSeen ? Authorization : null);
    },
  );

  test('they name no caller over a WebSocket of another origin', async () => {
    const onBeforeConnect: Hook = (request) =>
      withCaller(request, { user: request.headers.get('Cookie') ?? 'nobody' });
    const userOf = async (origin: string): Promise<unknown> => {
      const request = upgrade({ Origin: origin, Cookie: 'ada' });
      let named: unknown;
      const watching: Hook = async (...args) => {
        const replaced = (await onBeforeConnect(...args)) as Request;
        named = callerOf(replaced).caller;
        return replaced;
      };
      const { status } = await route(request, { cors: true, onBeforeConnect: watching });
      expect(status).toBe(101);
      return named;
    };
    expect(await userOf(OWN)).toEqual({ user: 'ada' });
    expect(await userOf(OTHER)).toEqual({ user: 'nobody' });
  });
});

describe('a request that is not a call', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    '%s is answered with 405',
    async (method) => {
      const { status, headers } = await route(new Request(URL_OF_CALL, { method }));
      expect(status).toBe(405);
      expect(headers.get('Allow')).toBe('POST');
    },
  );

  test('a form cannot be sent across sites as a call', async () => {
    const body = new URLSearchParams({ a: '1' });
    const { status } = await route(new Request(URL_OF_CALL, { method: 'POST', body }));
    expect(status).toBe(405);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json '])(
    'but a POST of %j is a call',
    async (type) => {
      const response = await route(post({ 'Content-Type': type }));
      expect(await response.text()).toMatch(/^\[\[1,\d+\]\]$/);
    },
  );

  test('a WebSocket without the subprotocol is refused', async () => {
    const { status } = await route(upgrade({ 'Sec-WebSocket-Protocol': 'chat' }));
    expect(status).toBe(405);
  });
});

describe('connectTo', () => {
  const elsewhere = () => {
    const asked: Request[] = [];
    const fetch = (request: Request): Promise<Response> => {
      asked.push(request);
      return Promise.resolve(new Response('elsewhere'));
    };
    return { asked, destination: { fetch } };
  };

  test('receives connections after the hook, and no other requests', async () => {
    const { asked, destination } = elsewhere();
    const connectTo = vi.fn<NonNullable<RouteOptions['connectTo']>>(() => destination);
    const onBeforeConnect: Hook = (request) => withCaller(request, { user: 'Ada' });
    const options = { connectTo, onBeforeConnect };
    expect(await (await route(upgrade(), options)).text()).toBe('elsewhere');
    expect(connectTo.mock.calls[0]?.[1]).toEqual({ binding: 'COUNTER', instance: 'hooks' });
    expect(callerOf(asked[0] as Request).caller).toEqual({ user: 'Ada' });
    // A probe asks whether the upgrade would be accepted.
    await route(post({ 'lumenize-rpc-probe': 'token.x' }), options);
    expect(asked).toHaveLength(2);
    expect(await (await route(post(), options)).text()).not.toBe('elsewhere');
    expect(connectTo).toHaveBeenCalledTimes(2);
  });

  test('is not called for a request that a hook has rejected, and may keep the addressed object', async () => {
    const connectTo = vi.fn<NonNullable<RouteOptions['connectTo']>>();
    const refuse: Hook = () => new Response('no', { status: 401 });
    expect((await route(upgrade(), { connectTo, onBeforeConnect: refuse })).status).toBe(401);
    expect(connectTo).not.toHaveBeenCalled();
    expect((await route(upgrade(), { connectTo })).status).toBe(101);
  });

  test('that throws causes the status 500 and a report', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const connectTo = (): never => {
      throw new Error('a secret');
    };
    const response = await route(upgrade(), { connectTo });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(log).toHaveBeenCalledOnce();
  });
});
