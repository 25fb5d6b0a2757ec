/** Stores of feeds: the newest page, later events, older pages, and a feed that has lost events. */
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createRpcClient,
  feedStore,
  type FeedPage,
  type FeedState,
  messagePortTransport,
  type RpcClient,
  type Store,
} from '../../../src/client.ts';
import {
  compileContract,
  events,
  feed,
  type Feed,
  read,
  RpcError,
  servePort,
} from '../../../src/server.ts';
import * as Type from '../../../src/typebox.ts';

class Chat {
  keep = 1_000;
  /** The next pages wait for `gate` before they are read and for `lateGate` after it, or throw `failure`. */
  gate: Promise<void> | undefined;
  lateGate: Promise<void> | undefined;
  failure: Error | undefined;
  pages = 0;
  #life = 0;

  messages(): Feed<string> {
    return feed(this, `messages ${this.#life}`, { keep: this.keep });
  }

  async history(before?: string): Promise<FeedPage<string>> {
    this.pages++;
    await this.gate;
    if (this.failure) throw this.failure;
    const page = this.messages().read({ before, limit: 3 });
    await this.lateGate;
    return page;
  }

  say(from: number, to = from): void {
    for (let number = from; number <= to; number++) this.messages().append(`${number}`);
  }

  /** Deletes all events, as if the storage was emptied. */
  forget(): void {
    this.#life++;
  }
}

const contract = compileContract({
  messages: events(),
  history: read([Type.Optional(Type.String({ maxLength: 50 }))]),
});

interface Served {
  chat: Chat;
  client: RpcClient<Chat>;
  store: Store<FeedState<string>>;
  sent: (kind: string) => number;
}

function served(count: number): Served {
  const chat = new Chat();
  chat.say(1, count);
  const { port1, port2 } = new MessageChannel();
  servePort(port2, chat, contract);
  const transport = messagePortTransport(port1);
  let frames = '';
  const client = createRpcClient<Chat>('CHAT', 'served', {
    transport: {
      ...transport,
      send(frame) {
        frames += String(frame);
        transport.send(frame);
      },
    },
  });
  onTestFinished(() => client.close());
  const store = feedStore(
    client,
    (methods) => methods.messages(),
    (room, before) => room.history(before),
  );
  return { chat, client, store, sent: (kind) => frames.split(`["${kind}"`).length - 1 };
}

/** Returns the state of a store as text. */
function shown(store: Store<FeedState<string>>): string {
  const { events: all, hasOlder, isLoading, error } = store.get();
  const texts = all.map(({ event }) => event).join(' ');
  return [
    hasOlder && '…',
    texts,
    isLoading && 'loading',
    error !== undefined && `${(error as RpcError).code ?? String(error)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function watch(store: Store<FeedState<string>>): () => void {
  const stop = store.subscribe(() => {});
  onTestFinished(stop);
  return stop;
}

describe('a store', () => {
  test('has the newest page, later events, and older pages', async () => {
    const { chat, store } = served(8);
    expect(shown(store)).toBe('loading');
    watch(store);
    await expect.poll(() => shown(store)).toBe('… 6 7 8');
    chat.say(9);
    await expect.poll(() => shown(store)).toBe('… 6 7 8 9');
    await store.get().loadOlder();
    expect(shown(store)).toBe('… 3 4 5 6 7 8 9');
    chat.say(10);
    await store.get().loadOlder();
    await expect.poll(() => shown(store)).toBe('1 2 3 4 5 6 7 8 9 10');
    await store.get().loadOlder();
    expect(chat.pages).toBe(3);
    const cursors = store.get().events.map(({ cursor }) => cursor);
    expect(cursors.map((cursor) => Number.parseInt(cursor, 10))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    // The cursors are those of a page, so that an event of a list keeps its key.
    expect(cursors).toEqual(
      chat
        .messages()
        .read()
        .events.map(({ cursor }) => cursor),
    );
  });

  test('of an empty feed has later events', async () => {
    const { chat, store } = served(0);
    watch(store);
    await expect.poll(() => shown(store)).toBe('');
    chat.say(1);
    await expect.poll(() => shown(store)).toBe('1');
  });

  test('without a client, or without a feed to read, has no events', async () => {
    const { client, store } = served(1);
    const page = async (): Promise<FeedPage<string>> => Promise.reject(new Error('not called'));
    for (const none of [
      feedStore(undefined, () => null, page),
      feedStore(client, null, page),
      feedStore(client, () => null, page),
    ]) {
      watch(none);
      expect(shown(none)).toBe('');
      await none.get().loadOlder();
    }
    expect(shown(store)).toBe('loading');
  });

  test('keeps its events while it is not watched, and goes on after them', async () => {
    const { chat, store, sent } = served(4);
    const stop = watch(store);
    await expect.poll(() => shown(store)).toBe('… 2 3 4');
    await store.get().loadOlder();
    stop();
    chat.say(5, 6);
    await expect.poll(() => sent('unsubscribe')).toBe(1);
    expect(shown(store)).toBe('1 2 3 4');
    watch(store);
    await expect.poll(() => shown(store)).toBe('1 2 3 4 5 6');
    expect([chat.pages, sent('subscribe')]).toEqual([2, 2]);
  });

  test('that is watched, left and watched again in one tick loads and subscribes once', async () => {
    const { chat, store, sent } = served(4);
    watch(store)();
    watch(store);
    await expect.poll(() => shown(store)).toBe('… 2 3 4');
    chat.say(5);
    await expect.poll(() => shown(store)).toBe('… 2 3 4 5');
    expect([chat.pages, sent('subscribe')]).toEqual([1, 1]);
  });

  test('that is left before its page arrives does not subscribe', async () => {
    const { chat, store, sent } = served(4);
    watch(store)();
    await expect.poll(() => shown(store)).toBe('… 2 3 4');
    chat.say(5);
    expect([chat.pages, sent('subscribe')]).toEqual([1, 0]);
  });

  test('loads one page, even if several calls ask for it', async () => {
    const { chat, store } = served(8);
    watch(store);
    await expect.poll(() => shown(store)).toBe('… 6 7 8');
    const gate = Promise.withResolvers<void>();
    chat.gate = gate.promise;
    const { loadOlder } = store.get();
    const all = Promise.all([loadOlder(), loadOlder(), store.get().loadOlder()]);
    expect(shown(store)).toBe('… 6 7 8 loading');
    chat.say(9);
    await expect.poll(() => shown(store)).toBe('… 6 7 8 9 loading');
    gate.resolve();
    await all;
    expect(shown(store)).toBe('… 3 4 5 6 7 8 9');
    expect(chat.pages).toBe(2);
    expect(store.get().loadOlder).toBe(loadOlder);
  });

  test('that is watched again while events arrive has no event twice', async () => {
    for (let ticks = 0; ticks < 30; ticks++) {
      const { chat, store } = served(2);
      let stop = watch(store);
      await expect.poll(() => shown(store)).toBe('1 2');
      let isDone = false;
      const watchAnew = async (): Promise<void> => {
        for (let tick = 0; tick < ticks; tick++) await undefined;
        stop();
        stop = watch(store);
      };
      stop();
      const run = ({ events: all }: FeedState<string>): void => {
        if (all.length < 3 || isDone) return;
        isDone = true;
        void watchAnew();
      };
      stop = store.subscribe(run);
      // All these events are in one frame.
      chat.say(3, 6);
      await expect.poll(() => shown(store)).toBe('1 2 3 4 5 6');
    }
  });

  test('goes on without events that are dropped meanwhile', async () => {
    const { chat, store } = served(8);
    chat.keep = 5;
    watch(store);
    await expect.poll(() => shown(store)).toBe('… 6 7 8');
    chat.say(9, 11);
    await store.get().loadOlder();
    await expect.poll(() => shown(store)).toBe('6 7 8 9 10 11');
  });
});

describe('an error', () => {
  test('of the newest page stays until the page is loaded', async () => {
    const { chat, store } = served(2);
    chat.failure = new RangeError('busy');
    watch(store);
    await expect.poll(() => shown(store)).toBe('… RangeError: busy');
    await store.get().loadOlder();
    expect(shown(store)).toBe('… RangeError: busy');
    chat.failure = undefined;
    await store.get().loadOlder();
    expect(shown(store)).toBe('1 2');
    chat.say(3);
    await expect.poll(() => shown(store)).toBe('1 2 3');
  });

  test('of an older page is shown beside the events, which go on', async () => {
    const { chat, store } = served(5);
    watch(store);
    await expect.poll(() => shown(store)).toBe('… 3 4 5');
    chat.failure = new RangeError('busy');
    await store.get().loadOlder();
    chat.say(6);
    await expect.poll(() => shown(store)).toBe('… 3 4 5 6 RangeError: busy');
    chat.failure = undefined;
    await store.get().loadOlder();
    expect(shown(store)).toBe('1 2 3 4 5 6');
  });

  test('of the client ends the store, and leaves the events', async () => {
    const { client, store } = served(2);
    watch(store);
    await expect.poll(() => shown(store)).toBe('1 2');
    client.close();
    await expect.poll(() => shown(store)).toBe('1 2 CLOSED');
  });

  test('because a page is of another feed causes no endless loop', async () => {
    const { chat, client } = served(2);
    const other = feed<string>({}, 'other');
    other.append('of another feed');
    let pages = 0;
    const store = feedStore(
      client,
      (methods) => methods.messages(),
      async () => {
        pages++;
        return other.read();
      },
    );
    watch(store);
    await expect.poll(() => shown(store)).toBe('of another feed CURSOR_EXPIRED');
    expect([pages, chat.pages]).toEqual([2, 0]);
  });
});

test('an older page of deleted events is replaced by the newest page', async () => {
  const { chat, store } = served(8);
  watch(store);
  await expect.poll(() => shown(store)).toBe('… 6 7 8');
  const gate = Promise.withResolvers<void>();
  chat.gate = gate.promise;
  const older = store.get().loadOlder();
  chat.forget();
  chat.say(101, 102);
  gate.resolve();
  await older;
  expect(shown(store)).toBe('101 102');
  chat.say(103);
  await expect.poll(() => shown(store)).toBe('101 102 103');
});

test('an older page that arrives after the store has begun again is not shown', async () => {
  const { chat, store, sent } = served(8);
  chat.keep = 10;
  watch(store);
  await expect.poll(() => shown(store)).toBe('… 6 7 8');
  const gate = Promise.withResolvers<void>();
  chat.lateGate = gate.promise;
  const seen: string[] = [];
  onTestFinished(store.subscribe(() => seen.push(shown(store))));
  const older = store.get().loadOlder();
  await expect.poll(() => chat.pages).toBe(2);
  // The feed does not keep so many events, so the subscription ends.
  chat.say(9, 3_000);
  await expect.poll(() => sent('unsubscribe')).toBe(1);
  chat.lateGate = undefined;
  gate.resolve();
  await older;
  await expect.poll(() => shown(store)).toBe('… 2998 2999 3000');
  chat.say(3_001);
  await expect.poll(() => shown(store)).toBe('… 2998 2999 3000 3001');
  expect(seen.filter((text) => text.includes('3 4 5'))).toEqual([]);
});
