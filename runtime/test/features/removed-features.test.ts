/**
 * An object hibernates with subscriptions of each kind, and wakes with another contract, as after a deployment.
 * Subscriptions that the contract no longer has are dropped, and the others go on.
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

/** The number of the client's subscription of each kind, and the entries of the contract that this kind needs. */
const KINDS = {
  live: { n: 1, entries: ['count'] },
  // A desk has a method that returns a feed.
  events: { n: 2, entries: ['news', 'desk', 'closeDesk'] },
  stream: { n: 3, entries: ['series', 'failAfter', 'content', 'shelf', 'grab'] },
  rows: { n: 4, entries: ['series', 'failAfter', 'content', 'shelf', 'grab'] },
} as const;
type Kind = keyof typeof KINDS;

/** Makes the contract of `subject.ts` with these kinds of subscriptions, without streams and functions as arguments. */
function onlyWith(kinds: readonly Kind[]): CompiledContract {
  const gone = new Set<string>(['ask', 'collect', 'takeSome']);
  for (const [kind, { entries }] of Object.entries(KINDS)) {
    if (!kinds.includes(kind as Kind)) for (const entry of entries) gone.add(entry);
  }
  return compileContract(
    Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name))),
  );
}

/** Makes a new class for each object, so that the runtime does not know its contract. */
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

/** Evicts an object with a subscription of each kind. */
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
  // An object with an open stream cannot hibernate. It can only lose the stream, so the test stores its record.
  await awoken(async (socket) => {
    const identity = socket.deserializeAttachment() as { subscriptions: unknown[][] };
    const [live, events, ...more] = identity.subscriptions;
    const subscriptions = [live, events, [3, 'stream', false], ...more];
    socket.serializeAttachment({ ...identity, subscriptions });
  });
  await evictDurableObject(HIBERNATING.getByName(instance));
});

/** Runs a function in the object. Its own class has not been called since the eviction. */
function awoken<Result>(
  act: (socket: WebSocket, ctx: DurableObjectState) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(HIBERNATING.getByName(instance), (_, ctx) =>
    act(ctx.getWebSockets()[0] as WebSocket, ctx),
  );
}

type Own = ReturnType<typeof wake>;
let own: Own | undefined;

/** Runs a function with the woken object. @returns the kinds of the subscriptions that are stored afterwards */
function withOwn(act: (own: Own, socket: WebSocket) => void): Promise<unknown[]> {
  return awoken(async (socket, ctx) => {
    act((own ??= wake(ctx)), socket);
    // This wait ends the turn.
    await scheduler.wait(0);
    return keptWith(socket).toSorted();
  });
}

/** Lets the object handle a frame. */
const hear = (contract: CompiledContract, ...messages: string[]): Promise<unknown[]> =>
  withOwn((awake, socket) => {
    expect(handleRpcMessage(socket, `[${messages.join()}]`, awake, contract)).toBe(true);
  });

/** Returns the kinds of the subscriptions that are stored with a socket. */
function keptWith(socket: WebSocket): unknown[] {
  const { subscriptions } = socket.deserializeAttachment() as { subscriptions: unknown[][] };
  return subscriptions.map(([, kind]) => kind);
}

/** Returns the numbers of the subscriptions that got a value or an event. */
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
  'an object whose contract has $kinds',
  ({ kinds, contract }) => {
    // The stream was in memory, so it is lost, and its client gets an error.
    const lasting = kinds.filter((kind) => kind !== 'stream').toSorted();

    test('answers, and keeps no other subscription', async () => {
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

    test('goes on with the subscriptions that it has kept', async () => {
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

    test('handles the end of the connection', async () => {
      await withOwn((awake, socket) => {
        expect(handleRpcClose(socket, 1000, '', awake, contract)).toBe(true);
      });
    });
  },
);

test.each(Object.keys(KINDS) as Kind[])(
  'the only subscription is dropped at the first message if its kind is gone: %s',
  async (kind) => {
    await awoken(async (socket) => {
      const identity = socket.deserializeAttachment() as { subscriptions: unknown[][] };
      const subscriptions = identity.subscriptions.filter(([, name]) => name === kind);
      socket.serializeAttachment({ ...identity, subscriptions });
    });
    const { n, entries } = KINDS[kind];
    const others = (Object.keys(KINDS) as Kind[]).filter((one) => KINDS[one].entries !== entries);
    // This call changes nothing.
    expect(await hear(onlyWith(others), '[501,"runs"]')).toEqual([]);
    await hear(onlyWith(others), `["ack",${n},1]`, `["unsubscribe",${n}]`, '[502,"runs"]');
    expect(await raw.until(([id]) => id === 502)).toEqual([
      [501, []],
      [502, []],
    ]);
  },
);

describe('a class that calls the handlers itself, in an alarm before any message', () => {
  const contract = onlyWith(['live', 'events', 'stream', 'rows']);

  test('is not confused with an object without a class that was called before', async () => {
    const other = { ctx: undefined as unknown };
    await awoken(async (_, ctx) => {
      other.ctx = ctx;
      await handleRpcRequest(new Request('https://example.com/call'), other, onlyWith([]));
    });
    expect(await append()).toEqual(Object.keys(KINDS).toSorted());
  });

  const append = () => withOwn((awake) => awake.news().append('from an alarm'));

  test('can append to a feed: subscribers get the event, and all subscriptions go on', async () => {
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

  test('can change a live value, which is sent after the next message at the latest', async () => {
    await withOwn((awake) => changed(awake));
    await hear(contract, '[501,"runs"]');
    await hear(contract, '[502,"tell",["b"]]');
    await hear(contract, '[503,"runs"]');
    const heard = await raw.until(([id]) => id === 503);
    expect(heard.filter(([kind]) => kind === 'value')).toEqual([['value', 1, 0]]);
  });
});
