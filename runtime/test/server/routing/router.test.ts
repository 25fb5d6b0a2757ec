/** Tests which object a path reaches, and what the router answers if a path reaches none. */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type RouteOptions, routeDORequest } from '../../../src/server.ts';
import { CLIENT_ID, PROBE } from '../../../src/wire/messages.ts';

const ID = env.COUNTER.idFromName('by-id').toString();
/** Values beside the real binding that must not be mistaken for a Durable Object namespace. */
const bindings = {
  ...env,
  SERVICE: exports.default,
  TEXT: 'text',
  NOTHING: null,
  LIST: [1],
  BARE: Object.create(null) as object,
};

async function route(
  path: string,
  options: RouteOptions = {},
  given: object = bindings,
  sent: Record<string, string> = {},
) {
  const body = JSON.stringify([[1, 'getValue']]);
  const headers = { 'Content-Type': 'application/json', ...sent };
  const request = new Request(`https://example.com${path}`, { method: 'POST', headers, body });
  const response = await routeDORequest(request, given, options);
  return response && { status: response.status, body: await response.text() };
}

describe('reaches an object', () => {
  test.each([
    ['the binding as written', '/__rpc/COUNTER/a/call', {}],
    ['kebab case', '/__rpc/counter/a/call', {}],
    ['Pascal case', '/__rpc/Counter/a/call', {}],
    ['an encoded name', '/__rpc/COUNTER/a%2Fb%20%C3%A9/call', {}],
    ['an id', `/__rpc/COUNTER/${ID}/call`, {}],
    ['an object with the name call', '/__rpc/COUNTER/call/call', {}],
    ['a prefix without slashes', '/api/COUNTER/a/call', { prefix: 'api' }],
    ['a prefix with slashes', '/api/COUNTER/a/call', { prefix: '/api/' }],
    ['a prefix of two segments', '/api/v1/COUNTER/a/call', { prefix: '/api/v1' }],
    ['no prefix', '/COUNTER/a/call', { prefix: '' }],
  ])('%s', async (_, path, options) => {
    expect(await route(path, options)).toEqual({ status: 200, body: '[[1,0]]' });
  });

  test.each(['counter-board', 'counter_board', 'CounterBoard', 'counterboard'])(
    'of a binding of two words by %s',
    async (name) => {
      const given = { COUNTER_BOARD: env.COUNTER };
      expect(await route(`/__rpc/${name}/a/call`, {}, given)).toMatchObject({ status: 200 });
    },
  );

  test('an id and the name from which it was created reach one object', async () => {
    await env.COUNTER.getByName('by-id').increment(4);
    for (const id of [ID, ID.toUpperCase()]) {
      expect(await route(`/__rpc/COUNTER/${id}/call`)).toEqual({ status: 200, body: '[[1,4]]' });
    }
    expect(await route('/__rpc/COUNTER/by-id/call')).toEqual({ status: 200, body: '[[1,4]]' });
  });

  test('an encoded slash does not end the name', async () => {
    await env.COUNTER.getByName('a/b').increment(2);
    expect(await route('/__rpc/COUNTER/a%2Fb/call')).toEqual({ status: 200, body: '[[1,2]]' });
  });
});

describe('passes on requests that are not its own', () => {
  test.each([
    ['another path', '/about', {}],
    ['a longer first segment', '/apiv2/COUNTER/a/call', { prefix: '/api' }],
    ['the prefix alone', '/__rpc', {}],
    ['an unknown binding', '/__rpc/NOPE/a/call', {}],
    ['a service binding', '/__rpc/SERVICE/a/call', {}],
    ['a text binding', '/__rpc/TEXT/a/call', {}],
    ['an empty binding', '/__rpc/NOTHING/a/call', {}],
    ['a list', '/__rpc/LIST/a/call', {}],
    ['an object without a prototype', '/__rpc/BARE/a/call', {}],
    ['an inherited name', '/__rpc/constructor/a/call', {}],
    ['a malformed escape', '/__rpc/%zz/a/call', {}],
  ])('%s', async (_, path, options) => {
    expect(await route(path, options)).toBeUndefined();
  });
});

describe('refuses', () => {
  test.each([
    ['a missing instance', '/__rpc/COUNTER', 400, 'COUNTER/{instance}/call'],
    ['an empty instance', '/__rpc/COUNTER//call', 400, 'COUNTER/{instance}/call'],
    ['a missing instance before the call', '/__rpc/COUNTER/call', 400, 'COUNTER/{instance}/call'],
    ['a malformed instance', '/__rpc/COUNTER/%zz/call', 400, 'COUNTER/{instance}/call'],
    ['a foreign id', `/__rpc/COUNTER/${'0'.repeat(64)}/call`, 400, 'is not an id'],
  ])('%s', async (_, path, status, message) => {
    for (const otherPaths of [false, true]) {
      const response = await route(path, { otherPaths });
      expect(response?.status).toBe(status);
      expect(response?.body).toContain(message);
    }
  });

  test('a name that two bindings match is refused, and the error names both', async () => {
    const two = { COUNTER_BOARD: env.COUNTER, CounterBoard: env.COUNTER };
    const response = await route('/__rpc/counter-board/a/call', {}, two);
    expect(response?.status).toBe(500);
    expect(response?.body).toContain('COUNTER_BOARD and CounterBoard');
  });

  test('an exact name takes precedence over another spelling', async () => {
    const two = { COUNTER_BOARD: env.COUNTER, CounterBoard: env.COUNTER };
    expect(await route('/__rpc/CounterBoard/a/call', {}, two)).toMatchObject({
      status: 200,
    });
  });
});

describe('a path that is not a call', () => {
  test.each(['/COUNTER/a', '/COUNTER/a/', '/COUNTER/a/other', '/COUNTER/a/call/more'])(
    '%s is refused, unless other paths are forwarded',
    async (path) => {
      const refused = 'Only …/call is forwarded: see the option otherPaths';
      expect(await route(`/__rpc${path}`)).toEqual({ status: 404, body: refused });
      // The object answers, which has no `fetch` of its own.
      const forwarded = await route(`/__rpc${path}`, { otherPaths: true });
      expect(forwarded).toEqual({ status: 404, body: 'Not found' });
    },
  );
});

test('an error of an object is thrown, and does not count as an error of the options', async () => {
  class Broken {
    idFromName(): object {
      return {};
    }

    get(): object {
      return { fetch: () => Promise.reject(new Error('of the object')) };
    }
  }
  const call = route('/__rpc/BROKEN/a/call', {}, { BROKEN: new Broken() });
  await expect(call).rejects.toThrow('of the object');
  // In development, a client reads the reason, because its upgrade would not be answered.
  const ofClient = { [CLIENT_ID]: 'x' };
  expect(await route('/__rpc/BROKEN/a/call', {}, { BROKEN: new Broken() }, ofClient)).toEqual({
    status: 501,
    body: 'The object of BROKEN failed: Error: of the object',
  });
});

describe('places an object', () => {
  /**
   * Imitates a namespace on Cloudflare, because a local Worker has neither regions nor
   * jurisdictions.
   */
  class Placing {
    readonly places: string[];
    readonly #jurisdiction: string;

    constructor(places: string[] = [], jurisdiction = 'anywhere') {
      this.places = places;
      this.#jurisdiction = jurisdiction;
    }

    jurisdiction(name: string): Placing {
      if (name !== 'eu') throw new Error(`No jurisdiction is named ${name}`);
      return new Placing(this.places, name);
    }

    idFromName(name: string): string {
      return `${name} in ${this.#jurisdiction}`;
    }

    idFromString(id: string): string {
      if (this.#jurisdiction === 'eu' && !id.startsWith('e')) throw new Error('Not of eu');
      return `id in ${this.#jurisdiction}`;
    }

    get(id: string, { locationHint = 'the nearest' } = {}): object {
      this.places.push(`${id} at ${locationHint}`);
      return { fetch: () => Promise.resolve(new Response('reached')) };
    }
  }

  const placed = async (options: RouteOptions, instance = 'a') => {
    const PLACING = new Placing();
    const answer = await route(`/__rpc/PLACING/${instance}/call`, options, { PLACING });
    return [answer?.status, ...PLACING.places];
  };

  test.each<[name: string, options: RouteOptions, instance: string, place: string]>([
    ['without an option', {}, 'a', 'a in anywhere at the nearest'],
    ['near a region', { locationHint: 'weur' }, 'a', 'a in anywhere at weur'],
    ['in a jurisdiction', { jurisdiction: 'eu' }, 'a', 'a in eu at the nearest'],
    ['both', { jurisdiction: 'eu', locationHint: 'weur' }, 'a', 'a in eu at weur'],
    ['by its id', { jurisdiction: 'eu' }, 'e'.repeat(64), 'id in eu at the nearest'],
    [
      'as functions return',
      {
        locationHint: (_request, { binding }) => (binding === 'PLACING' ? 'apac' : undefined),
        jurisdiction: (_request, { instance }) => (instance === 'mine' ? 'eu' : undefined),
      },
      'mine',
      'mine in eu at apac',
    ],
    [
      'anywhere if functions return nothing',
      { locationHint: () => undefined, jurisdiction: () => undefined },
      'a',
      'a in anywhere at the nearest',
    ],
    [
      'by the request that a hook has passed on',
      {
        onBeforeRequest: (request) =>
          new Request(request, { headers: { ...Object.fromEntries(request.headers), home: 'eu' } }),
        jurisdiction: ({ headers }) => (headers.has('home') ? 'eu' : undefined),
      },
      'a',
      'a in eu at the nearest',
    ],
  ])('%s', async (_name, options, instance, place) => {
    expect(await placed(options, instance)).toEqual([200, place]);
  });

  test('only if the id is of its jurisdiction, no hook rejects, and no option throws', async () => {
    expect(await placed({ jurisdiction: 'eu' }, 'a'.repeat(64))).toEqual([400]);
    const onBeforeRequest = () => new Response('Log in', { status: 401 });
    const jurisdiction = () => expect.unreachable() as 'eu';
    expect(await placed({ onBeforeRequest, jurisdiction })).toEqual([401]);
    expect(await placed({ jurisdiction: 'mars' as 'eu' })).toEqual([500]);
  });

  test('that connectTo returns where connectTo says', async () => {
    const PLACING = new Placing();
    const chosen = { fetch: () => Promise.resolve(new Response('of the relay')) };
    const options: RouteOptions = { jurisdiction: 'eu', connectTo: () => chosen };
    const probe = { [PROBE]: '' };
    const response = await route('/__rpc/PLACING/a/call', options, { PLACING }, probe);
    expect(response?.body).toBe('of the relay');
    expect(PLACING.places).toEqual([]);
  });

  test('locally like any other object', async () => {
    const options: RouteOptions = { jurisdiction: 'eu', locationHint: 'weur' };
    expect(await route('/__rpc/COUNTER/by-id/call', options)).toMatchObject({ status: 200 });
  });
});

describe('explains in tests and in development', () => {
  const few = { bindings: ['COUNTER'] };
  const given = { COUNTER: env.COUNTER, OTHER: env.COUNTER, TEXT: 'text' };
  const byPost = { [CLIENT_ID]: 'x' };
  const byProbe = { [PROBE]: '' };

  test.each([
    [
      'an unknown binding, by POST',
      byPost,
      '/__rpc/COUNTERS/a/call',
      /named COUNTERS: .*COUNTER, OTHER$/,
    ],
    [
      'an unknown binding, by a probe',
      byProbe,
      '/__rpc/TEXT/a/call',
      /named TEXT: .*COUNTER, OTHER$/,
    ],
    ['a long name', byPost, `/__rpc/${'N'.repeat(60)}/a/call`, /named N{50}: /],
    ['an encoded name', byProbe, '/__rpc/a%20b/a/call', /named a b:/],
    ['a malformed name', byProbe, '/__rpc/%zz/a/call', /named %zz:/],
    [
      'a binding that is not listed',
      byProbe,
      '/__rpc/other/a/call',
      /leaves OTHER out: add it there$/,
    ],
    ['an empty binding', byProbe, '/__rpc/a/call', /binding or instance is empty/],
    ['an empty binding and instance', byPost, '/__rpc/call', /binding or instance is empty/],
  ])('%s', async (_, headers, path, problem) => {
    const response = await route(path, few, given, headers);
    expect(response).toEqual({ status: 404, body: expect.stringMatching(problem) });
  });

  test('that there are no bindings', async () => {
    const response = await route('/__rpc/COUNTER/a/call', {}, { TEXT: 'text' }, byPost);
    expect(response?.body).toMatch(/There are none$/);
  });

  test('and passes on requests that another router may handle', async () => {
    expect(await route('/__rpc/THIRD/a/call', few, { ...given, THIRD: env.COUNTER }, byPost)).toBe(
      undefined,
    );
    const both = { ...given, SECOND: env.COUNTER };
    expect(await route('/__rpc/SECOND/a/call', {}, both)).toMatchObject({ status: 200 });
    expect(await route('/__rpc/SECOND/a/call', few, both, byProbe)).toBeUndefined();
  });
});
