/**
 * Tests on the bare runtime that each call runs once: through kills, repeated requests and the
 * limits of the journal.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../../src/client.ts';
import { decodeAnswer, decodeFrame } from '../../../src/wire/messages.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { type Binding, serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `object ${++instances}`;
});

const watch = (options: RpcClientOptions = {}, binding: Binding = 'DEFAULT'): Watched<Default> =>
  worker.watch(instance, options, binding);

/** Posts a frame as the client with this id, and as a user if a name is given. */
function post(
  client: string,
  frame: string,
  binding: Binding = 'DEFAULT',
  user?: string,
): Promise<string> {
  const raw = RawConnection.post(worker.urlOf(instance, binding), {
    client,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...init?.headers, ...(user && { Authorization: `user.${user}` }) },
      }),
  });
  raw.send(frame);
  return raw.next();
}

const openRaw = (client: string): Promise<RawConnection> => worker.raw(instance, { client });

/** Returns the size of the journal's row for each client. */
async function journal(): Promise<Record<string, number>> {
  using watched = watch({ transport: 'http' });
  return await watched.client.journal();
}

/** Returns the error in a frame with one answer. */
function thrownIn(frame: string): unknown {
  const [message] = decodeFrame(frame);
  const answer = decodeAnswer(message as Parameters<typeof decodeAnswer>[0]);
  return 'thrown' in answer ? answer.thrown : undefined;
}

const INTERRUPTED = { code: 'DISCONNECTED', maybeExecuted: true };

test('a POST that is repeated while the first runs waits for it: the call runs once', async () => {
  using other = watch({ transport: 'http' });
  const frame = '[[1,"addInTwoTurns",["gate"]]]';
  const first = post('repeating', frame);
  await until(async () => (await other.client.count()) === 1);
  const second = post('repeating', frame);
  await until(async () => (await other.client.requests()).length > 3);
  await other.client.openGate('gate');
  expect(await Promise.all([first, second])).toEqual(['[[1,11]]', '[[1,11]]']);
  expect(await other.client.count()).toBe(11);
  expect(await post('repeating', frame)).toBe('[[1,11]]');
});

test.each(['websocket', 'http'] as const)(
  'an asynchronous method that is stopped between its turns is not run again, over %s',
  async (transport) => {
    using watched = watch({ transport });
    const call = failureOf(watched.client.addInTwoTurns('gate'));
    using other = watch({ transport: 'http' });
    await until(async () => (await other.client.count()) === 1);
    await worker.restart();
    expect(await call).toMatchObject(INTERRUPTED);
    expect(await watched.client.count()).toBe(1);
    expect(await watched.client.add()).toBe(2);
  },
);

test('an asynchronous method that goes on while its client is away answers when the client is back', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch({ baseUrl: proxy.url });
  using other = watch({ transport: 'http' });
  const call = watched.client.addInTwoTurns('gate');
  await until(async () => (await other.client.count()) === 1);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  await other.client.openGate('gate');
  await until(async () => (await other.client.count()) === 11);
  proxy.resume();
  expect(await call).toBe(11);
  expect(await watched.client.count()).toBe(11);
  proxy.close();
});

describe('a method that throws', () => {
  test('has run once, and its error is sent again; its writes stay', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    using other = watch({ transport: 'http' });
    expect(await watched.client.add()).toBe(1);
    proxy.silence('down');
    const call = watched.client.addAndThrow();
    await until(async () => (await other.client.count()) === 2);
    proxy.cutAll('reset');
    await worker.restart();
    proxy.resume();
    await expect(call).rejects.toThrow(new RangeError('thrown at 2'));
    expect(await watched.client.count()).toBe(2);
    proxy.close();
  });

  test('within transactionSync has run once, and its writes are undone', async () => {
    const frame = '[[1,"addAllOrNothing"]]';
    const answer = await post('all or nothing', frame);
    expect(thrownIn(answer)).toEqual(new RangeError('thrown at 1'));
    expect(await post('all or nothing', '[["awaits",1],[2,"add"]]')).toBe('[[2,1]]');
    expect(await post('all or nothing', frame)).toBe(answer);
    expect(await post('all or nothing', '[[3,"count"]]')).toBe('[[3,1]]');
  });
});

describe('journal: false', () => {
  test('an unanswered call that may write is refused, and a call that reads is answered; neither runs twice', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url }, 'UNJOURNALED');
    using other = watch({ transport: 'http' }, 'UNJOURNALED');
    expect(await watched.client.add()).toBe(1);
    proxy.silence('down');
    const writing = failureOf(watched.client.add());
    const reading = watched.client.count();
    await until(async () => (await other.client.count()) === 2);
    proxy.cutAll('reset');
    await watched.next('reconnecting');
    const unsent = watched.client.add();
    proxy.resume();
    expect(await writing).toMatchObject(INTERRUPTED);
    expect(await reading).toBe(2);
    expect(await unsent).toBe(3);
    expect(await watched.client.count()).toBe(3);
    proxy.close();
  });

  test('over a server that is killed', async () => {
    using watched = watch({}, 'UNJOURNALED');
    using other = watch({ transport: 'http' }, 'UNJOURNALED');
    const running = failureOf(watched.client.addInTwoTurns('gate'));
    await until(async () => (await other.client.count()) === 1);
    await worker.restart();
    expect(await running).toMatchObject(INTERRUPTED);
    expect(await watched.client.add()).toBe(2);
  });
});

test('a method that deletes all storage does not break the journal', async () => {
  expect(await post('deleting', '[[1,"add"],[2,"add"]]')).toBe('[[1,1],[2,2]]');
  expect(await post('deleting', '[[3,"deleteAndAdd"]]')).toBe('[[3,1]]');
  expect(await post('deleting', '[[3,"deleteAndAdd"]]')).toBe('[[3,1]]');
  expect(await post('deleting', '[[4,"add"]]')).toBe('[[4,2]]');
  expect(await post('deleting', '[[4,"add"]]')).toBe('[[4,2]]');
  using watched = watch();
  expect(await watched.client.deleteAndAdd()).toBe(1);
  expect(await watched.client.add()).toBe(2);
  expect(await watched.client.deleteAndAdd()).toBe(1);
});

describe('an answer too large for a row', () => {
  test.each([
    ['ASCII', 'x', 3_000_000],
    ['three bytes a character', '\u20ac', 900_000],
    ['four bytes a pair', '\u{1f600}', 450_000],
  ])('in %s arrives, and the call is not run again', async (_, character, times) => {
    const frame = `[[1,"addAndReturn",["${character}",${times}]]]`;
    const answer = await post('large', frame);
    expect(answer.length).toBeGreaterThan(character.length * times);
    const again = await post('large', frame);
    expect(thrownIn(again)).toMatchObject(INTERRUPTED);
    expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
    expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
  });

  test('arrives with many others that are too large together', async () => {
    using watched = watch();
    const calls = Array.from({ length: 20 }, () => watched.client.addAndReturn('\u20ac', 200_000));
    for (const answer of await Promise.all(calls)) expect(answer).toHaveLength(200_000);
    expect(await watched.client.count()).toBe(20);
    expect(await watched.client.add()).toBe(21);
  });

  test('does not make the object forget calls that have not arrived yet', async () => {
    expect(await post('later', '[["awaits",1],[2,"addAndReturn",["x",2000000]]]')).toContain('xxx');
    expect(await post('later', '[[1,"add"]]')).toBe('[[1,2]]');
  });
});

describe('a slow call', () => {
  test('delays no answer of other calls', async () => {
    const socket = await openRaw('beside');
    socket.send('[[1,"addInTwoTurns",["gate"]]]');
    expect(await socket.ask('["awaits",1],[2,"add"]')).toBe('[[2,2]]');
    for (let id = 3; id < 2_000; id++) {
      await socket.ask(`["awaits",1,${id - 1}],[${id},"add"]`);
    }
    const [size = 0] = Object.values(await journal());
    expect(size).toBeLessThan(300);
    // The object forgets the acknowledged answers, but not the slow call.
    const [refused] = decodeFrame(await post('beside', '[["awaits",1],[5,"add"]]'));
    expect(refused).toContain('error');
    await post('opener', '[[1,"openGate",["gate"]]]');
    expect(await socket.next()).toBe('[[1,2009]]');
    expect(await post('beside', '[["resent",1,0],[1,"addInTwoTurns",["gate"]]]')).toBe(
      '[[1,2009]]',
    );
    socket.close();
  });

  test('is not run again when the object forgets the answers around it', async () => {
    const socket = await openRaw('around');
    socket.send('[[1,"addInTwoTurns",["gate"]]]');
    await socket.ask('["awaits",1],[2,"add"]');
    await socket.ask('["awaits",1,2],[3,"add"]');
    await worker.restart();
    const answers = decodeFrame(
      await post('around', '[["resent",3,0],[1,"addInTwoTurns",["gate"]],[3,"add"]]'),
    );
    expect(answers[0]).toEqual([1, 'error', expect.anything()]);
    expect(JSON.stringify(answers[0])).toContain('"maybeExecuted":true');
    expect(answers[1]).toEqual([3, 3]);
    expect(await post('around', '[[4,"count"]]')).toBe('[[4,3]]');
  });
});

describe('the journal writes one row per turn', () => {
  /**
   * Returns the number of rows that the journal writes for a frame of calls that each write a row.
   */
  async function rowsFor(calls: string[]): Promise<number> {
    const socket = await openRaw('rows');
    // The first call creates the row of the count, and the row of the client in its largest size.
    await socket.ask('[1,"addAndReturn",["x",11900]]');
    const written = async (id: number): Promise<number> => {
      const [[, rows] = []] = decodeFrame(await socket.ask(`[${id},"rowsWritten"]`));
      return rows as number;
    };
    const before = await written(2);
    socket.sendMessages(...calls.map((call, index) => `[${index + 3},${call}]`));
    let answers = 0;
    await socket.until(() => ++answers === calls.length);
    const rows = (await written(1_000_000)) - before;
    socket.close();
    return rows - calls.length;
  }

  const times = (length: number, call: (index: number) => string): string[] =>
    Array.from({ length }, (_, index) => call(index));

  test.each([
    ['that return at once', times(1_000, () => '"add"'), 1],
    ['that end in the same turn', times(1_000, () => '"addSoon",[0]'), 2],
    [
      'that end in the same turn after different times',
      times(1_000, (index) => `"addSoon",[${index % 12}]`),
      2,
    ],
  ])('calls %s', async (_, calls, most) => {
    const rows = await rowsFor(calls);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(most);
  });

  test('calls that end in separate turns', async () => {
    expect(await rowsFor(times(200, () => '"addAfterEvent"'))).toBeLessThanOrEqual(201);
  });

  test('the end of a cancelled call writes no row', async () => {
    const socket = await openRaw('cancelled');
    const rows = async (id: number): Promise<number> => {
      const [[, count] = []] = decodeFrame(await socket.ask(`[${id},"rowsWritten"]`));
      return count as number;
    };
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    socket.send(`[${ids.map((id) => `[${id},"addAfterEvent"]`)}]`);
    socket.send(JSON.stringify([['cancel', ...ids]]));
    const before = await rows(101);
    await until(async () => (await post('cancelled', '[[1,"count"]]')) === '[[1,100]]');
    expect((await rows(102)) - before).toBeLessThanOrEqual(100 + 1);
    socket.close();
  });
});

test('dropped answers do not enlarge the row, and their calls are refused instead of run again', async () => {
  const frame = `[${Array.from({ length: 2_000 }, (_, index) => `[${index + 1},"addAndReturn",["x",1000]]`)}]`;
  const answers = decodeFrame(await post('dropped', frame));
  expect(answers).toHaveLength(2_000);
  const again = decodeFrame(await post('dropped', frame));
  const kept = again.filter(([, form]) => form !== 'error');
  expect(kept.length).toBeGreaterThan(500);
  expect(again.slice(-kept.length)).toEqual(answers.slice(-kept.length));
  expect(await post('dropped', '[[2001,"count"]]')).toBe('[[2001,2000]]');
});

test('large answers survive a restart, and are deleted when they are acknowledged', async () => {
  const large = '[[1,"addAndReturn",["x",19000]]]';
  const answer = await post('large', large);
  await worker.restart();
  expect(await post('large', large)).toBe(answer);
  expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
  await worker.restart();
  expect(await post('large', '[[2,"add"]]')).toBe('[[2,2]]');
  expect(thrownIn(await post('large', large))).toMatchObject(INTERRUPTED);
});

describe('the stored data of clients with new ids', () => {
  let strangers = 0;

  /** Makes calls of new clients, a few at a time. */
  async function flood(clients: number, length: number, user?: string): Promise<void> {
    const frame = `[[1,"addAndReturn",["x",${length}]]]`;
    let made = 0;
    const come = async (): Promise<void> => {
      while (made < clients) {
        const client = `stranger-${++strangers}`;
        made++;
        expect(await post(client, frame, 'DEFAULT', user)).toMatch(/^\[\[1,"x/);
      }
    };
    await Promise.all(Array.from({ length: 8 }, come));
  }

  async function ask(method: 'count' | 'databaseSize'): Promise<number> {
    using other = watch({ transport: 'http' });
    return await other.client[method]();
  }

  const MIB = 1_048_576;
  /** The size of an answer that goes into a segment. */
  const LARGE = 590_000;
  const large = `[[1,"addAndReturn",["y",${LARGE}]]]`;
  /** More large answers than the object stores. */
  const MANY = 130;
  /** The size of an answer that stays in a row. */
  const SMALL = 11_900;
  const small = `[[1,"addAndReturn",["y",${SMALL}]]]`;
  /** More rows than the object stores. A row counts as 24 kB. */
  const VERY_MANY = 6_000;

  test.each<[what: string, user: string | undefined]>([
    ['strangers', undefined],
    ['a user', 'Eve'],
  ])('is at most 64 MiB of large answers: %s', async (_, user) => {
    await flood(MANY, LARGE, user);
    expect(await ask('databaseSize')).toBeLessThan(68 * MIB);
    expect(await ask('databaseSize')).toBeGreaterThan(50 * MIB);
    await worker.restart();
    await flood(MANY, LARGE, user);
    expect(await ask('databaseSize')).toBeLessThan(68 * MIB);
  });

  test('does not displace a large answer of a connected client', async () => {
    const socket = await openRaw('connected');
    const answer = await socket.ask(large.slice(1, -1));
    await flood(MANY, LARGE);
    await worker.restart();
    expect(await post('connected', large)).toBe(answer);
    expect(await ask('count')).toBe(1 + MANY);
  });

  test('does not displace the answers of a client that stores little, if all are connected', async () => {
    const socket = await openRaw('modest');
    const answer = await socket.ask(small.slice(1, -1));
    const others = await Promise.all(
      Array.from({ length: MANY }, () => openRaw(`stranger-${++strangers}`)),
    );
    for (const other of others) await other.ask(large.slice(1, -1));
    expect(await ask('databaseSize')).toBeLessThan(68 * MIB);
    await worker.restart();
    expect(await post('modest', small)).toBe(answer);
    expect(await ask('count')).toBe(1 + MANY);
  });

  test.each<[who: string, owner: string | undefined, flooder: string | undefined]>([
    ['a disconnected user, by strangers', 'Ada', undefined],
    ['a disconnected user, by another user', 'Ada', 'Eve'],
    ['a disconnected stranger, by a user', undefined, 'Eve'],
  ])('does not displace a large answer of %s', async (_, owner, flooder) => {
    const answer = await post('gone', large, 'DEFAULT', owner);
    await flood(MANY, LARGE, flooder);
    await worker.restart();
    expect(await post('gone', large, 'DEFAULT', owner)).toBe(answer);
    expect(await ask('count')).toBe(1 + MANY);
  });

  test('displaces the large answer of a disconnected stranger, whose call is not run again', async () => {
    await post('gone', large);
    await flood(MANY, LARGE);
    for (let life = 0; life < 2; life++) {
      expect(thrownIn(await post('gone', large))).toMatchObject(INTERRUPTED);
      expect(thrownIn(await post('gone', `[["resent",1,0],${large.slice(1)}`))).toMatchObject(
        INTERRUPTED,
      );
      await worker.restart();
    }
    expect(await ask('count')).toBe(1 + MANY);
  });

  test('is a limited number of rows, and displaces only strangers', async () => {
    await post('gone', small);
    const ofUser = await post('of a user', small, 'DEFAULT', 'Ada');
    const socket = await openRaw('connected');
    const ofConnected = await socket.ask(small.slice(1, -1));
    await flood(VERY_MANY, SMALL);
    expect(await ask('databaseSize')).toBeLessThan(60 * MIB);
    await worker.restart();
    expect(await post('of a user', small, 'DEFAULT', 'Ada')).toBe(ofUser);
    expect(await post('connected', small)).toBe(ofConnected);
    expect(thrownIn(await post('gone', `[["resent",1,0],${small.slice(1)}`))).toMatchObject(
      INTERRUPTED,
    );
    expect(await ask('count')).toBe(3 + VERY_MANY);
  });
});

describe('a call that is sent again to an object that does not know its client', () => {
  const HOUR = 60 * 60 * 1000;

  test.each([
    ['after a moment runs', 0, '[[1,1]]'],
    ['after minutes runs', 20 * 60 * 1000, '[[1,1]]'],
  ])('%s', async (_, age, answer) => {
    expect(await post(`stranger ${age}`, `[["resent",1,${age}],[1,"add"]]`)).toBe(answer);
  });

  test('after an hour is refused, and stays refused', async () => {
    const frame = `[["resent",1,${HOUR}],[1,"add"],[2,"add"]]`;
    const [refused, run] = decodeFrame(await post('late', frame));
    expect(JSON.stringify(refused)).toContain('"DISCONNECTED"');
    expect(run).toEqual([2, 1]);
    await worker.restart();
    expect(thrownIn(await post('late', '[["resent",1,0],[1,"add"]]'))).toMatchObject(INTERRUPTED);
    expect(await post('late', '[[3,"count"]]')).toBe('[[3,1]]');
  });
});

test('the object forgets clients whose calls have ended, however they ended', async () => {
  for (let index = 0; index < 50; index++) {
    const socket = await openRaw(`gone-${index}`);
    socket.send('[[1,"addInTwoTurns",["gate"]]]');
    socket.close();
  }
  await until(async () => (await post('asker', '[[1,"count"]]')) === '[[1,50]]');
  await post('opener', '[[1,"openGate",["gate"]]]');
  await until(async () => (await post('asker', '[[1,"count"]]')) === '[[1,550]]');
  // Their rows are stored, with the answers that no client received.
  for (let index = 0; index < 50; index++) {
    const frame = '[["resent",1,0],[1,"addInTwoTurns",["gate"]]]';
    expect(await post(`gone-${index}`, frame)).toMatch(/^\[\[1,\d+\]\]$/);
  }
});
