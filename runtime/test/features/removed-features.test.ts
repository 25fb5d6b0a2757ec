/**
 * An object that hibernates with subscriptions of each kind and wakes with another contract, as after a deployment:
 * what is no longer in the contract is dropped, the rest goes on. And one that speaks before its contract is known.
 */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  changed,
  type CompiledContract,
  compileContract,
  handleRpcClose,
  handleRpcMessage,
  handleRpcRequest,
} from '../../src/server.ts';
import { contract as all, subjectOn } from '../calls/subject.ts';
import { thrownBy } from '../support/messages.ts';
import { openSocket } from '../support/open-socket.ts';
import { RawConnection } from '../support/raw-connection.ts';
import type { TestEnv } from '../worker.ts';

const { HIBERNATING } = bindings as TestEnv;

/** By kind, as in records: the client's number, and the entries of the contract that are gone without it. */
const KINDS = {
  live: { n: 1, entries: ['count'] },
  // A desk has a method that returns a feed.
  events: { n: 2, entries: ['news', 'desk', 'closeDesk'] },
  stream: { n: 3, entries: ['series', 'failAfter', 'content', 'shelf', 'grab'] },
  rows: { n: 4, entries: ['series', 'failAfter', 'content', 'shelf', 'grab'] },
} as const;
type Kind = keyof typeof KINDS;

/** The contract of `subject.ts` with subscriptions of some kinds, and without streams and functions as arguments. */
function onlyWith(kinds: readonly Kind[]): CompiledContract {
  const gone = new Set<string>(['ask', 'collect', 'takeSome']);
  for (const [kind, { entries }] of Object.entries(KINDS)) {
    if (!kinds.includes(kind as Kind)) for (const entry of entries) gone.add(entry);
  }
  return compileContract(
    Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name))),
  );
}

/** A class of its own for each object, so that the runtime knows no contract of it. */
function wake(ctx: DurableObjectState): object & { news(): { append(text: string): void } } {
  class Kept {
    readonly ctx = ctx;
    readonly notes = ctx.storage.kv;
  }
  return new (subjectOn(Kept as never))(ctx, {} as Env) as never;
}

let raw: RawConnection;
let instance = '';
let instances = 0;

/** An object with a subscription of each kind that is evicted. */
beforeEach(async () => {
  own = undefined;
  instance = `removed ${++instances}`;
  raw = await RawConnection.socket(await openSocket('HIBERNATING', instance, 'one'), 'runs');
  const begun = await raw.exchange(
    '["subscribe",1,null,"count"]',
    '["subscribe",2,null,"news"]',
    '["subscribe",4,null,"shelf",[5000]]',
  );
  expect(begun.filter(([kind]) => kind === 'complete')).toEqual([]);
  // A stream that is open keeps the object awake: it can be lost, but not hibernate.
  await awoken(async (socket) => {
    const identity = socket.deserializeAttachment() as { subscriptions: unknown[][] };
    const [live, events, ...more] = identity.subscriptions;
    const subscriptions = [live, events, [3, 'stream', false], ...more];
    socket.serializeAttachment({ ...identity, subscriptions });
  });
  await evictDurableObject(HIBERNATING.getByName(instance));
});

/** Runs in the object. After it was evicted, its own class has not been called. */
function awoken<Result>(
  act: (socket: WebSocket, ctx: DurableObjectState) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(HIBERNATING.getByName(instance), (_, ctx) =>
    act(ctx.getWebSockets()[0] as WebSocket, ctx),
  );
}

type Own = ReturnType<typeof wake>;
let own: Own | undefined;

/** Runs with the object that has woken; at first without a message. Returns the kinds that are stored afterwards. */
function withOwn(act: (own: Own, socket: WebSocket) => void): Promise<unknown[]> {
  return awoken(async (socket, ctx) => {
    act((own ??= wake(ctx)), socket);
    // The turn ends.
    await scheduler.wait(0);
    return keptWith(socket).toSorted();
  });
}

/** Lets it handle a frame. */
const hear = (contract: CompiledContract, ...messages: string[]): Promise<unknown[]> =>
  withOwn((awake, socket) => {
    expect(handleRpcMessage(socket, `[${messages.join()}]`, awake, contract)).toBe(true);
  });

/** The kinds of the subscriptions that are stored with a socket. */
function keptWith(socket: WebSocket): unknown[] {
  const { subscriptions } = socket.deserializeAttachment() as { subscriptions: unknown[][] };
  return subscriptions.map(([, kind]) => kind);
}

/** Which subscriptions something was said to, without the stream, which was lost with the object's memory. */
function numbersIn(messages: unknown[][]): unknown[] {
  const numbers = messages.flatMap(([kind, n]) => (kind === 'value' || kind === 'next' ? [n] : []));
  return [...new Set(numbers)].toSorted();
}

const SETS: (readonly Kind[])[] = [
  [],
  ['live'],
  ['events'],
  ['stream', 'rows'],
  ['live', 'events'],
  ['live', 'stream', 'rows'],
  ['events', 'stream', 'rows'],
  ['live', 'events', 'stream', 'rows'],
];

describe.each(SETS.map((kinds) => ({ kinds, contract: onlyWith(kinds) })))(
  'an object whose contract has $kinds,',
  ({ kinds, contract }) => {
    // The stream is lost, and its client is told so.
    const lasting = kinds.filter((kind) => kind !== 'stream').toSorted();

    test('answers, and keeps nothing else', async () => {
      expect(await awoken(async (socket) => keptWith(socket))).toEqual(Object.keys(KINDS));
      expect(await hear(contract, '[501,"runs"]', '[502,"add",[1,2]]')).toEqual(lasting);
      const said = await raw.until(([id]) => id === 502);
      expect(said.filter(([id]) => typeof id === 'number')).toEqual([
        [501, []],
        [502, 3],
      ]);
      const completes = said.filter(([kind]) => kind === 'complete');
      expect(completes.map(([, n]) => n)).toEqual(kinds.includes('stream') ? [3] : []);
      for (const complete of completes) {
        expect(thrownBy(complete)).toMatchObject({ code: 'DISCONNECTED' });
      }
    });

    test('goes on with what has stayed', async () => {
      await hear(contract, '[501,"run",["a"]]', '[502,"tell",["b"]]', '["ack",4,1024]');
      expect(await hear(contract, '["ack",1,1]', '["unsubscribe",9]', '[503,"runs"]')).toEqual(
        lasting,
      );
      const heard = await raw.until(([id]) => id === 503);
      expect(heard.filter(([id]) => typeof id === 'number')).toEqual([[501], [502], [503, ['a']]]);
      expect(numbersIn(heard)).toEqual(
        kinds.flatMap((kind) => (kind === 'stream' ? [] : [KINDS[kind].n])),
      );
      expect(raw.closed).toBeUndefined();
    });

    test('hears that the connection ends', async () => {
      await withOwn((awake, socket) => {
        expect(handleRpcClose(socket, 1000, '', awake, contract)).toBe(true);
      });
    });
  },
);

test.each(Object.keys(KINDS) as Kind[])(
  'the only subscription, of a kind that is gone, is dropped at the first message: %s',
  async (kind) => {
    await awoken(async (socket) => {
      const identity = socket.deserializeAttachment() as { subscriptions: unknown[][] };
      const subscriptions = identity.subscriptions.filter(([, name]) => name === kind);
      socket.serializeAttachment({ ...identity, subscriptions });
    });
    const { n, entries } = KINDS[kind];
    const others = (Object.keys(KINDS) as Kind[]).filter((one) => KINDS[one].entries !== entries);
    // The call changes nothing.
    expect(await hear(onlyWith(others), '[501,"runs"]')).toEqual([]);
    await hear(onlyWith(others), `["ack",${n},1]`, `["unsubscribe",${n}]`, '[502,"runs"]');
    expect(await raw.until(([id]) => id === 502)).toEqual([
      [501, []],
      [502, []],
    ]);
  },
);

describe('a class that calls the handlers itself, in an alarm before any message,', () => {
  const contract = onlyWith(['live', 'events', 'stream', 'rows']);

  test('is not taken for an object without a class that was called before', async () => {
    const other = { ctx: undefined as unknown };
    await awoken(async (_, ctx) => {
      other.ctx = ctx;
      await handleRpcRequest(new Request('https://example.com/call'), other, onlyWith([]));
    });
    expect(await append()).toEqual(Object.keys(KINDS).toSorted());
  });

  const append = () => withOwn((awake) => awake.news().append('from an alarm'));

  test('appends to a feed: subscribers get the event, and all goes on', async () => {
    expect(await append()).toEqual(Object.keys(KINDS).toSorted());
    const heard = await raw.until(([kind]) => kind === 'next');
    expect(heard.filter(([kind]) => kind !== 'epoch')).toEqual([['next', 2, 1, 'from an alarm']]);
    await hear(contract, '[501,"run",["a"]]', '[502,"tell",["b"]]', '["ack",4,1024]');
    await hear(contract, '[503,"runs"]');
    const later = await raw.until(([id]) => id === 503);
    expect(later.filter(([kind, n]) => kind === 'next' && n === 2)).toEqual([['next', 2, 2, 'b']]);
    expect(numbersIn(later)).toEqual([1, 2, 4]);
    expect(later.filter(([kind]) => kind === 'complete').map(([, n]) => n)).toEqual([3]);
  });

  test('changes a live value: it is sent at the latest after the next message', async () => {
    await withOwn((awake) => changed(awake));
    await hear(contract, '[501,"runs"]');
    await hear(contract, '[502,"tell",["b"]]');
    await hear(contract, '[503,"runs"]');
    const heard = await raw.until(([id]) => id === 503);
    expect(heard.filter(([kind]) => kind === 'value')).toEqual([['value', 1, 0]]);
  });
});
