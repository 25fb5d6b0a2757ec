/** Subscriptions at the end of each turn: which live methods run again, for whom, and how often. */
import * as Type from '../../../src/typebox.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  capability,
  changed,
  compileContract,
  events,
  feed,
  type Feed,
  live,
  read,
  revoke,
  rows,
  servePort,
  stream,
} from '../../../src/server.ts';
import { ofKind, thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import { RawConnection } from '../../support/raw-connection.ts';

class ViewImpl {
  readonly #board: Board;

  constructor(board: Board, _name: string) {
    this.#board = board;
  }

  topic(): string {
    return this.#board.topic();
  }

  setTopic(topic: string): void {
    this.#board.setTopic(topic);
  }

  failing(): string {
    return this.#board.failing();
  }

  *rows(after = 0): Generator<{ id: number }> {
    if (after === 0) yield { id: 1 };
  }

  notes(): Feed<string> {
    return this.#board.notes();
  }
}

const View = capability(ViewImpl, [Type.String()], {
  topic: live(),
  setTopic: [Type.String()],
  failing: live(),
  rows: rows('id', [Type.Optional(Type.Integer())]),
  notes: events(),
});

class Board {
  runs = 0;
  #topic = '';
  #bytes = new ArrayBuffer(0);
  #gate = Promise.withResolvers<void>();

  topic(): string {
    this.runs++;
    return this.#topic;
  }

  setTopic(topic: string): void {
    this.#topic = topic;
  }

  failing(): string {
    if (this.#topic === 'fail') throw new RangeError('no topic');
    return this.#topic;
  }

  rejecting(): Promise<never> {
    return Promise.reject(new RangeError('rejected'));
  }

  response(): unknown {
    return new Response('x');
  }

  /** Returns the length of its argument. */
  echo(given: string): number {
    return given.length;
  }

  /** Changes the value that it returns, which a live method should not do. */
  visits(): number {
    changed(this);
    return ++this.runs;
  }

  bytes(): ArrayBuffer {
    return this.#bytes;
  }

  setBytes(length: number): void {
    this.#bytes = new ArrayBuffer(length);
  }

  /** Changes the topic with each item. */
  *topics(count: number): Generator<number> {
    for (let number = 1; number <= count; number++) {
      this.#topic = `${number}`;
      yield number;
    }
  }

  /** Changes the topic with each item, although its contract says that it is readonly. */
  readTopics(count: number): Generator<number> {
    return this.topics(count);
  }

  /** Changes the topic with each item, which comes later. */
  async *topicsSoon(count: number): AsyncGenerator<number> {
    for (const number of this.topics(count)) {
      await this.#gate.promise;
      yield number;
    }
  }

  open(): void {
    this.#gate.resolve();
  }

  /** Returns a feed, and is not readonly. */
  topicAndNotes(topic: string): Feed<string> {
    this.#topic = topic;
    return this.notes();
  }

  notes(): Feed<string> {
    return feed(this, 'notes', { window: 4 });
  }

  note(...texts: string[]): void {
    this.notes().append(...texts);
  }

  view(name: string): InstanceType<typeof View> {
    return new View(this, name);
  }

  async viewSoon(): Promise<InstanceType<typeof View>> {
    await this.#gate.promise;
    return this.view('soon');
  }

  lock(name: string): void {
    revoke(this, this.view(name));
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  one(): number {
    return 1;
  }
}

const text = Type.String();
const count = Type.Integer();

const contract = compileContract({
  topic: live(),
  setTopic: [text],
  rejecting: live(),
  response: live(),
  echo: live([text]),
  visits: live(),
  bytes: live(),
  setBytes: [count],
  topics: stream([count]),
  readTopics: stream([count], { readonly: true }),
  topicsSoon: stream([count]),
  open: read(),
  topicAndNotes: stream([text]),
  notes: events(),
  note: read([text, Type.Optional(text), Type.Optional(text)]),
  view: { input: [text], returns: View, readonly: true },
  viewSoon: { input: [], returns: View, readonly: true },
  lock: [text],
  fail: stream([], { readonly: true }),
  one: read(),
});

let board: Board;
let raw: RawConnection;

beforeEach(() => {
  board = new Board();
  raw = openPort(board, contract);
});
afterEach(() => void vi.restoreAllMocks());

const valuesIn = (messages: unknown[][]): unknown[] =>
  ofKind(messages, 'value').map(([, , value]) => value);

/** Returns the class, the number and the address of a capability, as a call has them. */
async function seal(name: string): Promise<string> {
  const [[, , list] = []] = await raw.exchange(`[1,"view",["${name}"]]`);
  return /"View".*(?=\]\]$)/.exec(JSON.stringify(list))?.[0] ?? '';
}

describe('a live method runs again', () => {
  test('after each part of a stream that may have changed its value', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]');
    const reader = openPort(board, contract);
    await reader.exchange('["subscribe",1,null,"topics",[100]]');
    expect(valuesIn(await raw.exchange())).toEqual(['64']);
    await reader.exchange('["ack",1,32]');
    expect(valuesIn(await raw.exchange())).toEqual(['96']);
  });

  test('after items that are awaited', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]', '["subscribe",2,null,"topicsSoon",[3]]');
    board.open();
    const heard = await raw.until(([kind, , value]) => kind === 'value' && value === '3');
    expect(valuesIn(heard).at(-1)).toBe('3');
  });

  test('not after a stream that only reads', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]');
    const { runs } = board;
    const heard = await raw.exchange('["subscribe",2,null,"readTopics",[10]]');
    expect(valuesIn(heard)).toEqual([]);
    expect(board.runs).toBe(runs);
  });

  test('after a method that was subscribed to without success', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]');
    const heard = await raw.exchange('["subscribe",2,null,"topicAndNotes",["changed"]]');
    expect(thrownBy(ofKind(heard, 'complete')[0])).toMatchObject({
      code: 'METHOD_NOT_FOUND',
      maybeExecuted: true,
      message:
        'topicAndNotes cannot be subscribed to: it is listed by stream([…]) or rows(key, […]), but returned a feed: write events([…]). The method has run',
    });
    expect(valuesIn(heard)).toEqual(['changed']);
  });

  test('after a native call of a method of a capability', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]');
    board.view('native').setTopic('by native RPC');
    expect(valuesIn(await raw.exchange())).toEqual(['by native RPC']);
  });

  test('not after an event that the class appends by itself', async () => {
    await raw.exchange('["subscribe",1,null,"topic"]', '["subscribe",2,null,"notes"]');
    await raw.exchange('[1001,"setTopic",["a"]]');
    const { runs } = board;
    board.note('by itself');
    expect(ofKind(await raw.exchange(), 'next')).toEqual([['next', 2, 1, 'by itself']]);
    expect(board.runs).toBe(runs);
  });

  test('only once for a change that it makes itself', async () => {
    await raw.exchange('["subscribe",1,null,"visits"]');
    const { runs } = board;
    expect(valuesIn(await raw.exchange('[1001,"setTopic",["a"]]'))).toEqual([runs + 1]);
    expect(valuesIn(await raw.exchange())).toEqual([]);
    expect(valuesIn(await raw.exchange('[3001,"setTopic",["b"]]'))).toEqual([runs + 2]);
  });

  test('and its value is sent if it has fewer bytes', async () => {
    const lengths: number[] = [];
    for (const [index, length] of [3_000, 2_000, 2_000].entries()) {
      const heard = await raw.exchange(
        `[${index * 1_000 + 1},"setBytes",[${length}]]`,
        ...(index === 0 ? ['["subscribe",1,null,"bytes"]'] : []),
      );
      lengths.push(ofKind(heard, 'value').length);
    }
    expect(lengths).toEqual([1, 1, 0]);
  });
});

test('a live method that returns a rejecting promise ends only its subscription', async () => {
  const heard = await raw.exchange('["subscribe",1,null,"rejecting"]');
  expect(thrownBy(heard.at(-1))).toMatchObject({
    name: 'TypeError',
    message: 'rejecting is live, but returned a promise: return the value',
  });
});

test('the error for a live value that cannot be sent says what to do', async () => {
  const heard = await raw.exchange('["subscribe",1,null,"response"]');
  expect(thrownBy(heard.at(-1))).toMatchObject({
    code: 'UNSERIALIZABLE',
    message: expect.stringContaining('or send its text: await it.text()'),
  });
});

test('a subscription that waits for a result does not begin after its connection has ended', async () => {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, board, contract);
  const waiting = RawConnection.port(port1);
  waiting.sendMessages('[1,"viewSoon"]', '["subscribe",1,null,["topic",1]]');
  await waiting.exchange();
  served.close();
  board.open();
  await raw.exchange();
  await raw.exchange('[1001,"setTopic",["a"]]');
  expect(board.runs).toBe(0);
});

test('a subscription that has ended does not end again when its capability is revoked', async () => {
  const view = await seal('ann');
  const ended = await raw.exchange(
    `["subscribe",1,null,["failing",${view}]]`,
    `["subscribe",2,null,["rows",${view}]]`,
    `["subscribe",3,null,["notes",${view}]]`,
    '[1001,"setTopic",["fail"]]',
    '["unsubscribe",3]',
  );
  expect(ofKind(ended, 'complete').map(([, n]) => n)).toEqual([2, 1]);
  expect(ofKind(await raw.exchange('[2001,"lock",["ann"]]'), 'complete')).toEqual([]);
});

test('the error for an unknown method of a capability suggests the method that was probably meant', async () => {
  const view = await seal('ann');
  const answer = JSON.stringify(await raw.exchange(`[1001,["topik",${view}]]`));
  expect(answer).toContain('The contract lists no method topik: did you mean topic?');
});

describe('revoke', () => {
  test('accepts only a capability of the same object', () => {
    const other = new Board();
    openPort(other, contract);
    expect(() => revoke(board, other.view('x'))).toThrow(
      new TypeError('The capability belongs to another object: pass the object that returned it'),
    );
    expect(() => revoke(board, {})).toThrow(
      new TypeError(
        'The value is not a capability: pass an instance of a class made by capability()',
      ),
    );
  });
});

describe('subscribers of one feed with the same number', () => {
  const eventsIn = (messages: unknown[][]): unknown[] =>
    ofKind(messages, 'next').map(([, , , event]) => event);

  test('get the events that their own window allows', async () => {
    await raw.exchange('["subscribe",1,null,"notes"]', '[1,"note",["a","b","c"]]');
    const other = openPort(board, contract);
    await other.exchange('["subscribe",1,null,"notes"]');
    await other.exchange('[1001,"note",["d","e","f"]]');
    expect(eventsIn(await raw.exchange())).toEqual(['d']);
    expect(eventsIn(other.frames.flatMap((frame) => JSON.parse(frame)))).toEqual(['d', 'e', 'f']);
  });

  test('get the events after their own beginning, even within a turn', async () => {
    await raw.exchange('["subscribe",1,null,"notes"]');
    const other = openPort(board, contract);
    const heard = await other.exchange(
      '[1,"note",["a"]]',
      '["subscribe",1,null,"notes"]',
      '[2,"note",["b"]]',
    );
    expect(eventsIn(heard)).toEqual(['b']);
    expect(eventsIn(await raw.exchange())).toEqual(['a', 'b']);
  });
});

test('a feed with a subscriber stays in memory when feeds without a subscriber are dropped', async () => {
  await raw.exchange('["subscribe",1,null,"notes"]');
  for (let index = 0; index < 1_001; index++) feed(board, `feed ${index}`).append(1);
  const heard = await raw.exchange('[1001,"note",["still here"]]');
  expect(ofKind(heard, 'next')).toEqual([['next', 1, 1, 'still here']]);
});

describe('a subscription that is rejected', () => {
  test('shows no details, unless the contract allows it', async () => {
    const other = openPort(board, { ...contract, exposeErrorDetails: false });
    const [complete] = await other.exchange('["subscribe",1,null,"fail"]');
    expect(thrownBy(complete)).toMatchObject({ message: 'It failed' });
    expect(JSON.stringify(complete)).not.toContain('subscribers.test');
    const [whole] = await raw.exchange('["subscribe",1,null,"fail"]');
    expect(JSON.stringify(whole)).toContain('subscribers.test');
  });

  const refused = '["subscribe",9,null,"nothing"]';

  /** This contract ends a connection if two more messages are rejected than run. */
  const impatient = { ...contract, limits: { ...contract.limits, refusals: 1 } };

  test('counts as a rejection, and too many end the connection', async () => {
    const other = openPort(board, impatient);
    other.sendMessages(refused, refused);
    await expect.poll(() => other.closed).toBe(4429);
  });

  test.each(['topic', 'notes', 'rows'])(
    'does not count after a subscription to %s that has begun',
    async (method) => {
      const other = openPort(board, impatient);
      const callee = method === 'rows' ? `["rows",${await seal('ann')}]` : `"${method}"`;
      for (let time = 0; time < 5; time++) {
        await other.exchange(refused, `["subscribe",1,null,${callee}]`);
      }
      expect(other.closed).toBeUndefined();
    },
  );
});

test('a call of 12 000 characters can be live, and a larger call is rejected', async () => {
  const most = 12_000 - '[1,"echo",[""]]'.length;
  const subscribing = (length: number): string =>
    `["subscribe",1,null,"echo",["${'x'.repeat(length)}"]]`;
  expect(valuesIn(await raw.exchange(subscribing(most)))).toEqual([most]);
  const [complete] = await raw.exchange(subscribing(most + 1));
  expect(thrownBy(complete)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});
