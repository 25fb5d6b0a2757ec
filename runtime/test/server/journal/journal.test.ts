/** Sends calls twice, over each transport, as raw frames. Each call runs once. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSocket } from '../../support/open-socket.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import type { TestEnv } from '../../worker.ts';

let clients = 0;

/** Sends the frames of a client: by POST, or by a WebSocket that it may lose. */
interface Sender {
  send(frame: string): Promise<string>;
  /** Loses the connection, if there is one, and connects again. */
  reconnect(): Promise<void>;
  /** Ends the connection, if there is one. */
  leave(): Promise<void>;
}

const byPost = (name: string, client?: string, binding = 'COUNTER'): Promise<Sender> =>
  senderOver(async () =>
    RawConnection.post(`https://example.com/__rpc/${binding}/${name}/call`, {
      client,
      fetch: (...request) => exports.default.fetch(...request),
    }),
  );

const byWebSocket = (name: string, client: string, binding = 'COUNTER'): Promise<Sender> =>
  senderOver(async () => RawConnection.socket(await openSocket(binding, name, client)));

async function senderOver(connect: () => Promise<RawConnection>): Promise<Sender> {
  let raw = await connect();
  return {
    send(frame) {
      raw.send(frame);
      return raw.next();
    },
    async reconnect() {
      void raw.close();
      raw = await connect();
    },
    leave: () => raw.close(),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

/** The methods of this object return their arguments. */
const BINDING = 'HIBERNATING';

/** A text that is too large for a row, and goes into a segment. */
const LARGE = 'x'.repeat(12_000);

/** Returns a frame of one call that is answered with a text. */
const runOnce = (text: string, id = 1): string => JSON.stringify([[id, 'run', ['once', text]]]);

/** Returns a call whose result has this number of bytes. */
const bytesOnce = (id: number, length: number): string =>
  `[${id},"run","rich",[["once",[1]],["ArrayBuffer","${'A'.repeat((length / 3) * 4)}"]]]`;

/** Returns the number of rows that the journal has written, by the change count of SQLite. */
async function rowsWritten(name: string, work: () => Promise<unknown>): Promise<number> {
  const count = (): Promise<number> =>
    runInDurableObject(env.COUNTER.getByName(name), (_, { storage }) => {
      const { changes } = storage.sql.exec('SELECT total_changes() AS changes').one();
      return changes as number;
    });
  const before = await count();
  await work();
  return (await count()) - before;
}

describe.each([
  ['POST', byPost],
  ['WebSocket', byWebSocket],
])('over %s', (way, connect) => {
  const start = (name: string): Promise<Sender> => connect(`${way} ${name}`, `client-${++clients}`);
  const value = (name: string): Promise<number> =>
    env.COUNTER.getByName(`${way} ${name}`).getValue();

  test('a repeated frame is answered as before, and runs nothing', async () => {
    const client = await start('again');
    const frame = '[[1,"increment"],[2,"increment",[5]]]';
    expect(await client.send(frame)).toBe('[[1,1],[2,6]]');
    await client.reconnect();
    expect(await client.send(frame)).toBe('[[1,1],[2,6]]');
    expect(await value('again')).toBe(6);
  });

  test('a repeated frame is answered as before after an eviction', async () => {
    const client = await start('evicted');
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    await evictDurableObject(env.COUNTER.getByName(`${way} evicted`));
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    expect(await value('evicted')).toBe(1);
  });

  test('when the client has acknowledged the answers, a late copy is refused, and runs nothing', async () => {
    const client = await start('moved on');
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    expect(await client.send('[[2,"increment"]]')).toBe('[[2,2]]');
    const answer = await client.send('[[1,"increment"]]');
    expect(answer).toContain('"DISCONNECTED"');
    expect(answer).toContain('"maybeExecuted":true');
    expect(await value('moved on')).toBe(2);
  });

  test('the calls before a malformed message are remembered', async () => {
    const client = await start('cut short');
    expect(await client.send('[[1,"increment"],["odd"],[2,"increment"]]')).toMatch(
      /^\[\[1,1\],\["error",.*BAD_MESSAGE/,
    );
    await evictDurableObject(env.COUNTER.getByName(`${way} cut short`));
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    expect(await value('cut short')).toBe(1);
  });

  test('another client with the same ids has calls of its own', async () => {
    const [one, other] = [await start('two'), await start('two')];
    expect(await one.send('[[1,"increment"]]')).toBe('[[1,1]]');
    expect(await other.send('[[1,"increment"]]')).toBe('[[1,2]]');
  });

  test('calls that are sent again and never arrived before run', async () => {
    const client = await start('not arrived');
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    expect(await client.send('[["resent",2],[1,"increment"],[2,"increment"]]')).toBe(
      '[[1,1],[2,2]]',
    );
    expect(await value('not arrived')).toBe(2);
  });

  test('a call that was refused for its arguments is not remembered', async () => {
    const client = await start('invalid');
    const work = (): Promise<string> => client.send('[[1,"increment",[0]],[2,"nope"]]');
    expect(await rowsWritten(`${way} invalid`, work)).toBe(0);
  });

  test('a frame costs one row, however many calls it has, and none if it only reads', async () => {
    const name = `${way} rows`;
    const client = await start('rows');
    // The first frame also creates the counter's own row.
    await client.send('[[1,"increment"]]');
    const calls = Array.from({ length: 50 }, (_, index) => `[${index + 2},"increment"]`);
    // The counter writes its own row for each increment.
    expect(await rowsWritten(name, () => client.send(`[${calls.join(',')}]`))).toBe(50 + 1);
    expect(await rowsWritten(name, () => client.send('[[52,"getValue"]]'))).toBe(0);
  });

  test('the journal of a client is one key of the key-value storage, beside the keys of the class', async () => {
    const client = await start('keys');
    for (let id = 1; id <= 3; id++) await client.send(`[[${id},"increment"]]`);
    const keys = await runInDurableObject(env.COUNTER.getByName(`${way} keys`), (_, { storage }) =>
      Array.from(storage.kv.list(), ([key]) => key),
    );
    expect(keys).toEqual([`__rpc_journal:client-${clients}`, 'value']);
  });

  test('a large answer and a small answer after it are repeated unchanged', async () => {
    const name = `${way} large`;
    const client = await connect(name, 'large', BINDING);
    const frames = [LARGE, 'small', LARGE].map((text, index) => runOnce(text, index + 1));
    for (const frame of frames) {
      const answer = await client.send(frame);
      await client.reconnect();
      expect(await client.send(frame)).toBe(answer);
      await evictDurableObject((env as TestEnv).HIBERNATING.getByName(name));
      expect(await client.send(frame)).toBe(answer);
    }
    expect(await (env as TestEnv).HIBERNATING.getByName(name).runs()).toHaveLength(3);
  });

  test('answers that the client still awaits are kept', async () => {
    const client = await start('awaits');
    const calls = Array.from({ length: 100 }, (_, index) => `[${index + 1},"increment"]`);
    await client.send(`[${calls.join(',')}]`);
    expect(await client.send('[["awaits",1],[101,"increment"]]')).toBe('[[101,101]]');
    expect(await client.send('[["awaits",1],[1,"increment"]]')).toBe('[[1,1]]');
  });
});

test.each([
  ['without an id', undefined],
  ['with an empty id', ''],
  ['with an id that is longer than any id of a client', 'x'.repeat(3000)],
  ['with an id that is one character too long', 'x'.repeat(101)],
])('a client %s that sends POSTs is not remembered', async (_, id) => {
  const client = await byPost(`anonymous ${id}`, id);
  expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
  expect(await client.send('[[1,"increment"]]')).toBe('[[1,2]]');
});

test('a client whose id has the greatest length is remembered', async () => {
  const client = await byPost('long id', 'x'.repeat(100));
  for (let time = 0; time < 2; time++) {
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
  }
});

describe('clients that have disconnected', () => {
  const CLIENTS = 60;
  const MINUTE = 60_000;

  async function comeAndGo(name: string, first: number): Promise<void> {
    for (let index = first; index < first + CLIENTS; index++) {
      const client = await byPost(name, `gone-${(index * 7919) % 100_003}`);
      expect(await client.send('[[1,"increment"]]')).toBe(`[[1,${index + 1}]]`);
    }
  }

  const keys = (name: string): Promise<number> =>
    runInDurableObject(
      env.COUNTER.getByName(name),
      (_, { storage }) => [...storage.kv.list({ prefix: '__rpc_journal:' })].length,
    );

  test.each([
    ['an object that is not evicted', false],
    ['an object that is evicted between them', true],
  ])('are forgotten an hour later, a few for each new client, by %s', async (name, sleeps) => {
    await comeAndGo(name, 0);
    expect(await keys(name)).toBe(CLIENTS);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE });
    if (sleeps) await evictDurableObject(env.COUNTER.getByName(name));
    let most = 0;
    for (let index = 0; index < CLIENTS; index += 10) {
      for (let client = 0; client < 10; client++) {
        const id = CLIENTS + index + client;
        const sender = await byPost(name, `gone-${(id * 7919) % 100_003}`);
        const work = (): Promise<string> => sender.send('[[1,"increment"]]');
        // The row of the client, the row of the counter, and the rows of four other clients; rarely
        // also the time of the journal's growth.
        most = Math.max(most, await rowsWritten(name, work));
      }
      if (sleeps) await evictDurableObject(env.COUNTER.getByName(name));
    }
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(7);
    const left = (await keys(name)) - CLIENTS;
    expect(left).toBeLessThanOrEqual(sleeps ? CLIENTS / 3 : 0);
  });

  test('are remembered as long as they may connect again', async () => {
    const client = await byPost('remembered', 'back');
    await client.send('[[1,"increment"]]');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * MINUTE });
    await comeAndGo('remembered', 1);
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
  });

  test('are remembered while they are connected', async () => {
    const client = await byWebSocket('connected', 'staying');
    await client.send('[[1,"increment"]]');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE });
    await comeAndGo('connected', 1);
    await evictDurableObject(env.COUNTER.getByName('connected'));
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
  });

  test('are forgotten even if they were connected', async () => {
    for (let index = 0; index < 5; index++) {
      const client = await byWebSocket('left', `left-${index}`);
      await client.send('[[1,"increment"]]');
      await client.leave();
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE });
    await comeAndGo('left', 5);
    expect(await keys('left')).toBe(CLIENTS);
  });

  test('are forgotten whether their answers were large or small', async () => {
    const object = (env as TestEnv).HIBERNATING.getByName('large and small');
    const come = async (index: number): Promise<void> => {
      const client = await byPost('large and small', `gone-${(index * 7919) % 100_003}`, BINDING);
      await client.send(runOnce(index % 2 === 0 ? LARGE : 'small'));
    };
    const rows = (): Promise<number[]> =>
      runInDurableObject(object, (_, { storage }) => [
        [...storage.kv.list({ prefix: '__rpc_journal:' })].length,
        storage.sql.exec('SELECT * FROM __rpc_answers').toArray().length,
      ]);
    for (let index = 0; index < CLIENTS; index++) await come(index);
    expect(await rows()).toEqual([CLIENTS, CLIENTS / 2]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE });
    for (let index = CLIENTS; index < 2 * CLIENTS; index++) await come(index);
    expect(await rows()).toEqual([CLIENTS, CLIENTS / 2]);
  });
});

test.each([
  ['POST', byPost],
  ['WebSocket', byWebSocket],
])(
  'nothing of a client over %s stays in memory after it has disconnected',
  async (way, connect) => {
    const name = `${way} left`;
    const client = await connect(name, 'leaving');
    expect(await client.send('[[1,"increment"]]')).toBe('[[1,1]]');
    await client.leave();
    // Without its row, only the memory could have the answer.
    await runInDurableObject(env.COUNTER.getByName(name), (_, { storage }) =>
      storage.kv.delete('__rpc_journal:leaving'),
    );
    const back = await byPost(name, 'leaving');
    expect(await back.send('[[1,"increment"]]')).toBe('[[1,2]]');
  },
);

test('a large answer costs a row of its own, and another when it is no longer awaited', async () => {
  const object = (env as TestEnv).HIBERNATING.getByName('large rows');
  const client = await byPost('large rows', 'one', BINDING);
  const count = (): Promise<number> =>
    runInDurableObject(object, (_, { storage }) => {
      const { changes } = storage.sql.exec('SELECT total_changes() AS changes').one();
      return changes as number;
    });
  await client.send(runOnce(LARGE));
  const before = await count();
  await client.send(runOnce(LARGE, 2));
  // The journal writes the client's row and the segment. The object writes that the call ran.
  expect((await count()) - before).toBe(2 + 1);
  await client.send(runOnce('small', 3));
  await client.send(runOnce('small', 4));
  expect((await count()) - before).toBe(3 + (2 + 1) + (1 + 1));
});

test('an answer that is large in bytes is in a segment', async () => {
  const object = (env as TestEnv).HIBERNATING.getByName('large bytes');
  const client = await byWebSocket('large bytes', 'one', BINDING);
  await client.send(`[["bytes"],${bytesOnce(1, 9_000)}]`);
  const tables = (): Promise<unknown[]> =>
    runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = '__rpc_answers'").toArray(),
    );
  expect(await tables()).toEqual([]);
  await client.send(`[["bytes"],${bytesOnce(2, 12_000)}]`);
  expect(await tables()).toHaveLength(1);
});

test.each([
  ['POST', byPost],
  ['WebSocket', byWebSocket],
])(
  'over %s, a large answer remains although the class deletes all storage',
  async (way, connect) => {
    const name = `${way} deleted`;
    const object = (env as TestEnv).HIBERNATING.getByName(name);
    const client = await connect(name, 'deleting', BINDING);
    await client.send(runOnce(LARGE));
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll());
    const frame = runOnce(LARGE, 2);
    const answer = await client.send(frame);
    await evictDurableObject(object);
    expect(await client.send(frame)).toBe(answer);
    expect(await object.runs()).toEqual(['once']);
  },
);

const WAYS = [
  ['POST', byPost],
  ['WebSocket', byWebSocket],
] as const;

/** A text that takes a little more than half of the room for answers. */
const HALF = 'x'.repeat(310_000);

describe.each(WAYS)('over %s the room for answers', (way, connect) => {
  test('is free again when the answers are acknowledged', async () => {
    const client = await connect(`${way} acknowledged`, 'large', BINDING);
    let answer = '';
    for (let id = 1; id <= 3; id++) answer = await client.send(runOnce(HALF, id));
    expect(answer).toContain(HALF);
    expect(await client.send(runOnce(HALF, 3))).toBe(answer);
  });

  test('is used once by the answer of a call that waited for another', async () => {
    const client = await connect(`${way} waited`, 'large', BINDING);
    const source = '[1,"runLater",["source",5]]';
    const user = `[2,"gather","rich",[[["user",[1],"${HALF}"]],["Call",1]]]`;
    const answers = async (): Promise<string> => {
      let text = await client.send(`[${source},${user}]`);
      // Over a WebSocket, the answers may come in two frames.
      if (!text.includes('[2,')) text = await client.send(`[["awaits",1],${user}]`);
      return text;
    };
    for (let time = 0; time < 2; time++) expect(await answers()).toContain(`[2,[5,"${HALF}"]]`);
    const object = (env as TestEnv).HIBERNATING.getByName(`${way} waited`);
    expect(await object.runs()).toEqual(['source', 'user']);
  });
});

/** Waits until a call of an object has run. */
async function hasRun(name: string, call: string): Promise<void> {
  const object = (env as TestEnv).HIBERNATING.getByName(name);
  await vi.waitUntil(async () => (await object.runs()).includes(call), { timeout: 50_000 });
}

test('a waiting call that is stopped between its turns is not run again', async () => {
  const object = (env as TestEnv).HIBERNATING.getByName('stopped');
  const client = await byWebSocket('stopped', 'waiting', BINDING);
  void client.send('[[1,"hold",["source",1]],[2,"hold","rich",[[["user",[1]]],["Call",1]]]]');
  await hasRun('stopped', 'source');
  await object.release('source');
  await hasRun('stopped', 'user');
  const stopped = runInDurableObject(object, (_, state) => state.abort('stopped'));
  await stopped.catch(() => {});
  const again = await byPost('stopped', 'waiting', BINDING);
  const answer = await again.send('[["resent",2,0],[2,"run",["user"]]]');
  expect(answer).toMatch(/may have run, but its answer is not stored.*"maybeExecuted":true/);
  expect(await (env as TestEnv).HIBERNATING.getByName('stopped').runs()).toEqual([
    'source',
    'user',
  ]);
});

test('nothing stays in memory of a client whose last call was refused after it had disconnected', async () => {
  const object = (env as TestEnv).HIBERNATING.getByName('refused late');
  const client = await byWebSocket('refused late', 'leaving', BINDING);
  void client.send('[[1,"hold",["source"]],[2,"add","rich",[[[[1],1]],["Call",1]]]]');
  await hasRun('refused late', 'source');
  await client.leave();
  await object.release('source');
  await object.runs();
  // Without its row, only the memory could have the answer.
  await runInDurableObject(object, (_, { storage }) => storage.kv.delete('__rpc_journal:leaving'));
  const back = await byPost('refused late', 'leaving', BINDING);
  await back.send('[[1,"run",["again"]]]');
  expect(await object.runs()).toEqual(['source', 'again']);
});

test('nothing is forgotten of a client that has connected again when its older calls end', async () => {
  const object = (env as TestEnv).HIBERNATING.getByName('back');
  const client = await byWebSocket('back', 'coming-back', BINDING);
  void client.send('[[1,"hold",["held"]]]');
  await hasRun('back', 'held');
  await client.leave();
  await client.reconnect();
  expect(await client.send('[["awaits",1],[2,"runs"]]')).toBe('[[2,["held"]]]');
  await object.release('held');
  await object.runs();
  // The answer of a method that only reads is only in memory.
  const user = '[3,"gather","rich",[[["user",[1]]],["Call",2]]]';
  expect(await client.send(`[["awaits",1],${user}]`)).toBe('[[3,[["held"]]]]');
});

/** Makes the storage refuse segments, as a full storage does. At least one segment must exist. */
async function refuseSegments(object: DurableObjectStub): Promise<void> {
  await runInDurableObject(object, (_, { storage }) =>
    storage.sql.exec(
      "CREATE TRIGGER full BEFORE INSERT ON __rpc_answers BEGIN SELECT RAISE(ABORT, 'full'); END",
    ),
  );
}

test.each(WAYS)(
  'over %s, a call whose answer cannot be stored rejects with that reason',
  async (way, connect) => {
    const name = `full ${way}`;
    const object = (env as TestEnv).HIBERNATING.getByName(name);
    const client = await connect(name, 'full', BINDING);
    await client.send(runOnce(LARGE));
    const answer = client.send(JSON.stringify([[2, 'hold', ['held', LARGE]]]));
    await hasRun(name, 'held');
    await refuseSegments(object);
    await object.release('held');
    expect(await answer).toMatch(
      /^\[\[2,"error",.*not be stored.*full.*"UNAVAILABLE","maybeExecuted":true/,
    );
    expect(await client.send('[[3,"runs"]]')).toBe('[[3,["once","held"]]]');
  },
);

test.each(WAYS)(
  'over %s, a synchronous call whose answer cannot be stored rejects with that reason, and others are answered',
  async (way, connect) => {
    const name = `full at once ${way}`;
    const object = (env as TestEnv).HIBERNATING.getByName(name);
    const client = await connect(name, 'full', BINDING);
    await client.send(runOnce(LARGE));
    await refuseSegments(object);
    const [read, change, ...others] = JSON.parse(
      await client.send(
        JSON.stringify([
          [2, 'runs'],
          [3, 'run', ['full', LARGE]],
        ]),
      ),
    );
    expect(others).toEqual([]);
    expect(read).toEqual([2, ['once']]);
    expect(JSON.stringify(change)).toMatch(
      /^\[3,"error",.*not be stored.*full.*"UNAVAILABLE","maybeExecuted":true/,
    );
    expect(await client.send('[[4,"runs"]]')).toBe('[[4,["once","full"]]]');
  },
);

test.each(WAYS)(
  'over %s, an object without SQLite rejects with that reason, and runs nothing',
  async (way, connect) => {
    const client = await connect(way, 'legacy', 'LEGACY');
    const answer = await client.send('[[1,"add",[1,2]]]');
    expect(answer).toMatch(/^\[\["error",.*SQLite.*"code":"UNAVAILABLE"/);
  },
);
