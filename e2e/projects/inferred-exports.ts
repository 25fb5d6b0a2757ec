// Exports that a module of a project may have without an explicit type, from each door of the
// package.
import { DurableObject } from 'cloudflare:workers';
import {
  bindingTransport,
  bytes,
  callback,
  capabilities,
  capabilityAt,
  connectionState,
  createRpcClient,
  feedStore,
  liveStore,
  messagePortTransport,
  RpcError,
  stream,
  subscribe,
  withOptions,
} from 'lumenize-rpc/client';
import { debug, observeSockets } from 'lumenize-rpc/debug';
import { useConnectionState, useFeed, useLive } from 'lumenize-rpc/react';
import { relay } from 'lumenize-rpc/relay';
import {
  bytes as bytesOfObject,
  callback as callbackSchema,
  capability,
  compileContract,
  events,
  feed,
  live,
  lumenizeRpcDO,
  read,
  rows,
  type RpcObject,
  servePort,
  type StandardSchema,
  stream as streamEntry,
  streamOf,
} from 'lumenize-rpc/server';
import { collect, connect } from 'lumenize-rpc/testing';
import * as Type from 'lumenize-rpc/typebox';
import type { Bank } from './bank.ts';
import type { Counter } from './counter.ts';
import type { Room } from './room.ts';

// Exports of the client.
/** With `exactOptionalPropertyTypes`, `undefined` is a default, too. */
export const readWith = (
  baseUrl: string | undefined,
  signal: AbortSignal | undefined,
  timeout: number | undefined,
) => {
  const { getValue } = withOptions(
    createRpcClient<Counter>('COUNTER', 'mine', { baseUrl, timeout, reconnect: undefined }),
    { signal, timeout },
  );
  return getValue();
};
export const counter = createRpcClient<Counter>('COUNTER', 'mine');
export const room = createRpcClient<Room>('ROOM', 'mine', { bytes, capabilities });
export const bank = createRpcClient<Bank>('BANK', 'mine', { capabilities });
export const withPlainType = createRpcClient<InstanceType<typeof Board>>('BOARD', 'mine');
export const clientOf = (name: string) => createRpcClient<Counter>('COUNTER', name);
export const options = { bytes, capabilities, debug };
export const value = counter.getValue();
export const increment = counter.increment;
export const patient = withOptions(counter, { timeout: 5 });
export const session = bank.login('ann', 'token');
export const balance = session.balance();
export const opened = async () => await session;
export const again = capabilityAt<Awaited<ReturnType<typeof session.balance>>>(bank, '');
export const methods = subscribe(room);
export const values = subscribe(counter).getValue();
export const messages = subscribe(room).messages();
export const listen = <Target>(client: Parameters<typeof subscribe<Target>>[0]) =>
  subscribe(client);
export const store = liveStore(counter, (of) => of.getValue());
export const state = connectionState(counter);
export const onNews = callback((text: string) => text.length);
export const lines = stream(['a', 'b']);
export const port = (of: MessagePort) => messagePortTransport(of);
export const inside = (env: Env) => bindingTransport(() => env.COUNTER.getByName('mine'));
export const failure = new RpcError('TIMEOUT', 'Late');
export const useCounter = () => useLive(counter, (of) => of.getValue());
export const useNews = () =>
  useFeed(
    withPlainType,
    (of) => of.news(),
    (of, before) => of.olderNews(before),
  );
export const newsStore = feedStore(
  withPlainType,
  (of) => of.news(),
  (of, before) => of.olderNews(before),
);
export const useCounterState = () => useConnectionState(counter);
export const sockets = observeSockets(() => {});

// Exports of the object.
const Pen = capability(
  class PenImpl {
    readonly owner: string;
    constructor(_board: object, owner: string) {
      this.owner = owner;
    }
    write(text: string) {
      return { text, owner: this.owner };
    }
    ink() {
      return 1;
    }
  },
  [Type.String()],
  { write: [Type.String()], ink: live() },
);
export { Pen };
export class BoardImpl extends DurableObject<Env> {
  add(title: string) {
    return { title };
  }
  news() {
    return feed<{ text: string }>(this, 'news');
  }
  olderNews(before?: string) {
    return this.news().read({ before });
  }
  pen(owner: string) {
    return new Pen(this, owner);
  }
  *lines() {
    yield 'line';
  }
  *pages(_after?: string) {
    yield { id: '1' };
  }
  async save(items: AsyncIterable<string>, onSaved: (count: number) => Promise<boolean>) {
    for await (const item of items) await onSaved(item.length);
  }
  async visit() {
    return createRpcClient<Counter>('COUNTER', 'x', { transport: inside(this.env) }).getValue();
  }
}
export const entries = {
  add: [Type.String()],
  news: events(),
  olderNews: read([Type.Optional(Type.String())]),
  pen: { input: [Type.String()], returns: Pen },
  lines: streamEntry(),
  pages: rows('id', [Type.Optional(Type.String())]),
  save: [streamOf(Type.String()), callbackSchema([Type.Number()], Type.Boolean())],
  visit: read(),
} as const;
export const Board = lumenizeRpcDO(BoardImpl, entries, {
  use: [bytesOfObject, debug],
  journalAge: undefined,
  limits: { callsPerSecond: undefined },
});
export type Board = RpcObject<typeof Board>;
export const use = [bytesOfObject, debug];
export const compiled = compileContract({ increment: [Type.Integer()] });
export const served = (of: MessagePort, board: RpcObject<typeof Board>) =>
  servePort(of, board, compiled);
export class RoomRelay extends DurableObject<Env> {
  origin = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
}

// Schemas of another library.
export const dayText = null as never as StandardSchema<string, Date>;
export const noteText = null as never as StandardSchema<string | undefined>;
export class DiaryImpl extends DurableObject<Env> {
  write(day: Date, note?: string) {
    return `${day.getTime()}${note}`;
  }
  save(days: AsyncIterable<Date>, ask: (text?: string) => Promise<Date>) {
    return days && ask;
  }
}
export const entriesOfDiary = {
  write: read([dayText, noteText], { output: noteText }),
  save: { input: [streamOf(dayText), callbackSchema([noteText], dayText)], readonly: true },
} as const;
export const Diary = lumenizeRpcDO(DiaryImpl, entriesOfDiary);
export const diary = createRpcClient<RpcObject<typeof Diary>>('DIARY', 'mine');
export const written = diary.write('2026-01-01');
export const write = diary.write;

// Exports for tests.
export const tested = connect<Counter>('COUNTER', 'mine');
export const collected = collect(subscribe(tested).getValue());
