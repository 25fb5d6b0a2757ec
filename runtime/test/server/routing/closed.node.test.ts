/**
 * Tests that no request gets past the checks: raw requests with headers, ids and paths that no
 * client of this package sends.
 */
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { FRAME_SIZE } from '../../../src/wire/limits.ts';
import { decodeAnswer, decodeFrame } from '../../../src/wire/messages.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { RouterHooks } from '../../served/router-hooks.ts';
import { serve } from '../../served/serve.ts';

const PROBE = 'lumenize-rpc-probe';
const CLIENT = 'lumenize-rpc-client';

const worker = await serve();
const hooks = new RouterHooks(worker.runtime.url);
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `closed-${++instances}`;
});

/** Two paths to an object: through the router, and through a Worker that forwards every request. */
const rooms = { 'by the router': '__rpc', 'without the router': 'unrouted' };

interface Sent {
  room?: string;
  binding?: string;
  headers?: Record<string, string>;
}

function pathOf({ room = '__rpc', binding = 'DEFAULT' }: Sent): string {
  return `/${room}/${binding}/${instance}/call`;
}

/**
 * Sends a request exactly as written, because `fetch` would not send some of the headers.
 *
 * @param hasEnd - ends the request; without the end, only an object that does not wait for it
 *   answers
 */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Iterable<Buffer> = '',
  hasEnd = true,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { port: worker.runtime.port, host: '127.0.0.1', method, path, headers };
    const sending = httpRequest(options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: text });
        sending.destroy();
      });
    });
    sending.on('error', reject);
    if (typeof body === 'string') sending.end(body);
    else {
      for (const chunk of body) sending.write(chunk);
      if (hasEnd) sending.end();
    }
  });
}

function post(frame: string, sent: Sent = {}): Promise<{ status: number; body: string }> {
  const headers = { 'Content-Type': 'application/json', ...sent.headers };
  return send('POST', pathOf(sent), headers, frame);
}

/** Returns the result of a frame's call, or the code of its rejection. */
async function result(call: string, sent: Sent = {}): Promise<unknown> {
  const [message = []] = decodeFrame((await post(`[[1,${call}]]`, sent)).body);
  const answer = decodeAnswer(message[0] === 'error' ? [1, 'error', message[1]] : (message as [1]));
  return 'thrown' in answer ? (answer.thrown as { code: string }).code : answer.result;
}

/** Returns the answers to frames over a WebSocket, in order. */
async function overSocket(
  frames: string[],
  { protocols = [], ...sent }: Sent & { protocols?: string[] } = {},
): Promise<string[]> {
  const url = `ws://127.0.0.1:${worker.runtime.port}${pathOf(sent)}`;
  const options = { protocols: ['lumenize-rpc.1', ...protocols], headers: sent.headers };
  // Node's WebSocket accepts headers that a page in a browser cannot set.
  using raw = await RawConnection.socket(new WebSocket(url, options as never));
  for (const frame of frames) raw.send(frame);
  const answers: string[] = [];
  while (answers.length < frames.length && !answers.at(-1)?.startsWith('closed')) {
    answers.push(await raw.next());
  }
  return answers;
}

const count = (): Promise<unknown> => result('"count"');

describe.each(Object.entries(rooms))('a probe, %s', (_, room) => {
  test.each([
    ['with a frame', '[[1,"add"]]', { 'Content-Type': 'application/json' }],
    [
      'with a frame and a client',
      '[[1,"add"]]',
      { [CLIENT]: 'x', 'Content-Type': 'application/json' },
    ],
    [
      'with a frame and the content type of a form',
      '[[1,"add"]]',
      { 'Content-Type': 'text/plain' },
    ],
    ['with nothing', '', {}],
  ])('%s runs no call', async (__, body, headers) => {
    const probe = { [PROBE]: '', ...headers };
    const answer = await send('POST', pathOf({ room }), probe, body);
    expect(answer).toEqual({
      status: 400,
      body: expect.stringContaining('no crypto'),
    });
    expect(await count()).toBe(0);
  });

  test('is not a way around the hook for requests: its calls do not run', async () => {
    const headers = { [PROBE]: 'user.Ada', Authorization: 'user.Ada' };
    const { body } = await post('[[1,"caller"]]', { room, headers });
    expect(body).toContain('no crypto');
  });

  test('in an upgrade is ignored', async () => {
    const headers = { [PROBE]: 'user.Eve', Authorization: 'user.Ada' };
    const [answer] = await overSocket(['[[1,"caller"]]'], { room, headers });
    expect(answer).toBe(room === '__rpc' ? '[[1,{"user":"Ada"}]]' : '[[1]]');
  });

  test.each(['GET', 'PUT', 'DELETE'])('that is a %s is not a probe', async (method) => {
    const { status, body } = await send(method, pathOf({ room }), { [PROBE]: '' });
    expect([status, body]).toEqual([405, expect.stringContaining('POST')]);
  });
});

test('a probe passes the same hook as its upgrade, and is refused in the same way', async () => {
  await post('', { headers: { [PROBE]: 'user.Ada, more' } });
  expect(await hooks.asked(instance)).toEqual(['connect user.Ada, more']);
  await hooks.refuse(instance, 401);
  expect(await post('', { headers: { [PROBE]: '' } })).toEqual({
    status: 401,
    body: 'refused with 401',
  });
});

test('the class receives nothing of a probe that it could handle as a request', async () => {
  const sent = { binding: 'PLAIN', headers: { Authorization: 'user.Ada' } };
  const url = `plain POST ${pathOf(sent)}`;
  expect((await post('order', sent)).body).toBe(`${url} user.Ada order`);
  const probe = { ...sent, headers: { ...sent.headers, [PROBE]: 'user.Ada' } };
  expect((await post('order', probe)).body).toBe(`${url}  `);
});

test('a POST passes the hook for requests, whatever its headers for upgrades are', async () => {
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': 'lumenize-rpc.1, user.Ada' };
  await post('[[1,"add"]]', { headers }).catch(() => {});
  for (const asked of await hooks.asked(instance)) expect(asked).toMatch(/^request/);
});

describe('a caller', () => {
  const forged = JSON.stringify({ lumenizeRpcCaller: { caller: { user: 'Eve' }, owner: 'Eve' } });
  const forgeries = {
    'lumenize-rpc-caller': encodeURIComponent(JSON.stringify({ user: 'Eve' })),
    lumenizeRpcCaller: forged,
    cf: forged,
    'cf-blob': forged,
    'x-lumenize-rpc-caller': forged,
  };

  test.each(Object.entries(rooms))('cannot name itself in a header, %s', async (_, room) => {
    for (const [name, value] of Object.entries(forgeries)) {
      const sent = { room, headers: { [name]: value } };
      expect(await result('"caller"', sent), name).toBeUndefined();
      expect(await overSocket(['[[1,"caller"]]'], sent), name).toEqual(['[[1]]']);
    }
  });

  test('has the name that the hook gives, and the data of the edge stays', async () => {
    const before = await result('"edge"');
    const sent = { headers: { ...forgeries, Authorization: 'user.Ada' } };
    expect(await result('"caller"', sent)).toEqual({ user: 'Ada' });
    expect(await overSocket(['[[1,"caller"]]'], sent)).toEqual(['[[1,{"user":"Ada"}]]']);
    expect(await result('"edge"', sent)).toEqual([...(before as string[]), 'lumenizeRpcCaller']);
    expect(before).toContain('clientIp');
  });

  test('that is too large is refused, and no other', async () => {
    const sent = { headers: { Authorization: 'user.Large' } };
    const { status, body } = await post('[[1,"add"]]', sent);
    expect([status, body]).toEqual([500, expect.stringContaining('function in the options')]);
    expect(await count()).toBe(0);
  });
});

describe('the id of another caller’s client', () => {
  let client = '';

  beforeEach(async () => {
    client = randomUUID();
    const headers = { Authorization: 'user.Ada', [CLIENT]: client };
    expect((await post('[[1,"add"],[2,"add"]]', { headers })).body).toBe('[[1,1],[2,2]]');
  });

  test.each([
    ['nobody', {}],
    ['another user', { Authorization: 'user.Eve' }],
  ])('gives %s neither its answers nor its numbers', async (_, who) => {
    const headers = { ...who, [CLIENT]: client };
    for (const call of ['"add"', '"count"', '"nope"']) {
      expect(await result(call, { headers })).toBe('FORBIDDEN');
    }
    const [answer] = await overSocket(['[["awaits",3],[3,"add"]]'], {
      headers: who,
      protocols: [`${CLIENT}.${client}`],
    });
    expect(answer).toContain('"FORBIDDEN"');
    expect(answer).not.toContain('[3');
    expect(await count()).toBe(2);
    const own = { headers: { Authorization: 'user.Ada', [CLIENT]: client } };
    expect((await post('[["resent",2,0],[1,"add"],[2,"add"]]', own)).body).toBe('[[1,1],[2,2]]');
  });

  test('still belongs to Ada when she uses another token, after a restart', async () => {
    const again = { headers: { Authorization: 'user.Ada.second', [CLIENT]: client } };
    expect((await post('[["resent",2,0],[1,"add"],[2,"add"]]', again)).body).toBe('[[1,1],[2,2]]');
    await worker.restart();
    expect((await post('[["resent",2,0],[2,"add"],[3,"add"]]', again)).body).toBe('[[2,2],[3,3]]');
    const eve = { headers: { Authorization: 'user.Eve', [CLIENT]: client } };
    expect(await result('"count"', eve)).toBe('FORBIDDEN');
  });

  test('belongs to no named caller if its client has no caller', async () => {
    const anonymous = randomUUID();
    await post('[[1,"add"]]', { headers: { [CLIENT]: anonymous } });
    const headers = { Authorization: 'user.Eve', [CLIENT]: anonymous };
    expect(await result('"add"', { headers })).toBe('FORBIDDEN');
  });
});

describe('a path', () => {
  test.each([
    ['/__rpc/PLAIN/x', 404],
    ['/__rpc/PLAIN/x/', 404],
    ['/__rpc/PLAIN/x/admin', 404],
    ['/__rpc/PLAIN/x/admin/call', 404],
    ['/__rpc/PLAIN/x/call/', 404],
    ['/__rpc/PLAIN/x/%63all', 404],
    ['/__rpc/PLAIN/x//call', 404],
    ['/__rpc/PLAIN/x/call', 200],
    ['/__rpc/PLAIN/x/call?admin', 200],
    ['/open/PLAIN/x/admin', 200],
    ['/open/PLAIN/x', 200],
    ['/few/DEFAULT/x/admin', 404],
    ['/few/DEFAULT/x/call', 405],
    ['/few/default/x/call', 405],
  ])('%s is answered with %i', async (path, status) => {
    expect((await send('GET', path, {})).status).toBe(status);
  });

  test.each(['PLAIN', 'plain', 'Plain'])('to a binding that is not listed: %s', async (binding) => {
    const { status, body } = await send('GET', `/few/${binding}/x/call`, {});
    expect([status, body]).toEqual([404, 'no such object']);
  });

  test.each(['/few/PLAIN/x/call', '/few/NONE/x/call', '/__rpc/NONE/x/call', '/__rpc/x/call'])(
    'without a binding reveals no other bindings: %s',
    async (path) => {
      for (const header of [CLIENT, PROBE]) {
        const { status, body } = await send('POST', path, { [header]: randomUUID() });
        expect([status, body]).toEqual([404, 'no such object']);
      }
    },
  );
});

describe('a body without a length', () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');

  test('is read up to the size of a frame', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    // A character takes at most three bytes.
    const length = (3 * FRAME_SIZE) / chunk.length;
    const chunks = [...Array.from({ length }, () => chunk), Buffer.from(' ')];
    const { body } = await send('POST', pathOf({}), headers, chunks, false);
    expect(body).toContain('"LIMIT_EXCEEDED"');
    expect(await count()).toBe(0);
  });

  test('is a frame like any other', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const chunks = ['[[1,"a', 'dd",[', '5]]]'].map((text) => Buffer.from(text));
    expect((await send('POST', pathOf({}), headers, chunks)).body).toBe('[[1,5]]');
  });
});

describe('a connection whose messages are rejected', () => {
  test.each([
    ['no frames', Array.from({ length: 1_001 }, () => 'garbage')],
    ['calls of no method', Array.from({ length: 3 }, () => calls(5_000, '"nope"'))],
    ['wrong arguments', Array.from({ length: 3 }, () => calls(5_000, '"add",["x"]'))],
  ])('is closed in the end: %s', async (_, frames) => {
    const answers = await overSocket([...frames, '[[9000,"add"]]']);
    expect(answers.at(-1)).toMatch(/^closed 4429 .*limits\.refusals/);
    expect(await count()).toBe(0);
  });

  test('stays open while it makes as many valid calls', async () => {
    const mixed = (first: number): string =>
      `[${Array.from({ length: 2_000 }, (_, index) => `[${first + index},"${index % 2 ? 'count' : 'nope'}"]`)}]`;
    const frames = Array.from({ length: 12 }, (_, index) => mixed(1 + index * 2_000));
    const answers = await overSocket(frames);
    expect(answers.at(-1)).toContain('[24000,0]');
  });
});

describe('a client that was closed for rejected messages', () => {
  const garbage = [...Array.from({ length: 3 }, () => calls(5_000, '"nope"')), '[[9000,"add"]]'];
  const as = (client: string): { protocols: string[] } => ({ protocols: [`${CLIENT}.${client}`] });
  const addByPost = (client: string): ReturnType<typeof send> => {
    const headers = { 'Content-Type': 'application/json', [CLIENT]: client };
    return send('POST', pathOf({}), headers, '[[1,"add"]]');
  };
  const refused = {
    status: 429,
    body: 'The client has sent too many messages that were rejected: see limits.refusals',
  };

  test('is answered with 429 when it connects again, and other clients are not', async () => {
    expect((await overSocket(garbage, as('one'))).at(-1)).toMatch(/^closed 4429/);
    expect(await overSocket(['[[1,"add"]]'], as('one'))).toEqual([
      expect.stringMatching(/^closed 10/),
    ]);
    expect(await addByPost('one')).toEqual(refused);
    const asks = { [PROBE]: `lumenize-rpc.1, ${CLIENT}.one` };
    expect(await send('POST', pathOf({}), asks)).toEqual(refused);
    expect(await overSocket(['[[1,"add"]]'], as('another'))).toEqual(['[[1,1]]']);
    expect((await addByPost('a third')).body).toBe('[[1,2]]');
  });

  test('by POST is answered with 429 too, after its allowance', async () => {
    const sendGarbage = (): ReturnType<typeof send> =>
      send(
        'POST',
        pathOf({}),
        { 'Content-Type': 'application/json', [CLIENT]: 'poster' },
        garbage[0],
      );
    expect((await sendGarbage()).status).toBe(200);
    expect((await sendGarbage()).status).toBe(200);
    const { status, body } = await sendGarbage();
    expect(status).toBe(200);
    // The rest of the frame is refused at once.
    expect(decodeFrame(body)).toHaveLength(2);
    expect(body).toContain('refusals is at most 10000');
    expect(await sendGarbage()).toEqual(refused);
  });

  test.each([
    [100, 'is as well as anyone'],
    [101, 'is thrown out after a hundred'],
  ])('under another id, with %i messages, %s', async (length) => {
    const some = [calls(length, '"nope"'), '[[9000,"count"]]'];
    expect((await overSocket(some, as('before'))).at(-1)).toBe('[[9000,0]]');
    await overSocket(garbage, as('flooding'));
    const last = (await overSocket(some, as('after'))).at(-1);
    expect(last).toMatch(length > 100 ? /^closed 4429/ : /^\[\[9000,0/);
  });
});

function calls(length: number, call: string): string {
  return `[${Array.from({ length }, (_, index) => `[${index + 1},${call}]`)}]`;
}
