/** Changes of the kind of a method: a call, a live value, a feed, a stream, rows, or a presence. */
import * as Type from '../../../src/typebox.ts';
import { events, live, presence, read, rows, stream, volatile } from '../../../src/server.ts';
import type { ContractChange, Page, Version } from '../version.ts';
import { subscribe } from '../../../src/client.ts';

const Row = Type.Object({ id: Type.String(), at: Type.Integer() });
const list = [
  { id: 'a', at: 3 },
  { id: 'b', at: 2 },
  { id: 'c', at: 1 },
];

const called: Version = { contract: { list: [] }, answers: { list: [list] }, sends: [['list']] };
const readable: Version = { ...called, contract: { list: read() } };
const changing: Version = { ...called, contract: { list: volatile() } };
const followed: Version = {
  contract: { list: live() },
  answers: { list: [list] },
  sends: [['list']],
  follows: [['list']],
};
const fed: Version = {
  contract: { list: events([], { output: Row }) },
  answers: { list },
  follows: [['list']],
};
const fleeting: Version = { ...fed, isVolatile: true };
const streamed: Version = {
  contract: { list: stream([], { output: Row }) },
  answers: { list },
  follows: [['list']],
};
const place = Type.Optional(Type.Union([Type.String(), Type.Integer()]));
const byId: Version = {
  contract: { list: rows('id', [place], { output: Row }) },
  answers: { list },
  follows: [['list']],
  open: goOn('id'),
};
const byTime: Version = {
  ...byId,
  contract: { list: rows('at', [place], { output: Row }) },
  answers: { list: list.toReversed() },
  open: goOn('at'),
};

const spoken: Version = {
  contract: { list: presence([Type.Optional(Type.String())], { output: Row }) },
  answers: { list },
  says: [['list', 'here']],
};
const spokenAs = (said: Type.TSchema, says: unknown, output: Type.TSchema = Row): Version => ({
  ...spoken,
  contract: { list: presence([Type.Optional(said)], { output }) },
  says: [['list', says]],
});

/** Reads the first row, and after a deployment the rows that follow it. */
function goOn(key: 'id' | 'at'): (page: Page) => Promise<() => Promise<void>> {
  return async ({ client }) => {
    const first = subscribe(client as object) as unknown as Loops;
    let cursor: string | undefined;
    let loop = first['list']!();
    for await (const _ of loop) {
      cursor = (first as unknown as { cursor?: string }).cursor;
      break;
    }
    return async () => {
      loop = (subscribe(client as object, { after: cursor }) as unknown as Loops)['list']!();
      const found: unknown[] = [];
      for await (const row of loop) found.push((row as Record<string, unknown>)[key]);
      if (found.length !== 2) throw new Error(`the loop went on with ${JSON.stringify(found)}`);
    };
  };
}

/** Returns a version with a live list, which is sent by key, or whole without a key. */
function liveRows(key?: 'id' | 'at'): Version {
  const options = { output: Type.Array(Row), ...(key && { key }) };
  return {
    contract: { list: live([], options), move: [] },
    object: {
      list(this: Stored) {
        return this.ctx.storage.kv.get('list') ?? list;
      },
      move(this: Stored) {
        const [first, ...rest] = list;
        this.ctx.storage.kv.put('list', [{ id: 'd', at: 0 }, ...rest, { ...first, at: 9 }]);
      },
    },
    follows: [['list']],
    async open({ client }) {
      const loop = (subscribe(client as object) as unknown as Loops)['list']!()[
        Symbol.asyncIterator
      ]();
      await loop.next();
      return async () => {
        await client['move']!();
        const ids: string[] = [];
        // The earlier value may arrive once more.
        while (ids.at(-1) !== 'abcd' && ids.length < 2) {
          const { value } = await loop.next();
          ids.push(
            (value as { id: string }[])
              .map(({ id }) => id)
              .toSorted()
              .join(''),
          );
        }
        void loop.return?.();
        if (ids.at(-1) !== 'abcd') throw new Error(`the list has ${ids.join(', ')}`);
      };
    },
  };
}

type Stored = object & { ctx: DurableObjectState };

type Loops = Record<string, () => AsyncIterable<unknown>>;

export const KINDS: readonly ContractChange[] = [
  { name: 'a call becomes a read', old: called, next: readable },
  { name: 'a call becomes volatile', old: called, next: changing },
  { name: 'a volatile call becomes a call', old: changing, next: called },
  { name: 'a read becomes volatile', old: readable, next: changing },
  { name: 'a volatile call becomes a read', old: changing, next: readable },
  { name: 'a volatile call becomes a live value', old: changing, next: followed },
  { name: 'a live value becomes volatile', old: followed, next: changing },
  { name: 'a volatile call becomes a feed', old: changing, next: fed },
  { name: 'a read becomes a call', old: readable, next: called },
  { name: 'a read becomes a live value', old: readable, next: followed },
  { name: 'a call becomes a live value', old: called, next: followed },
  { name: 'a live value becomes a read', old: followed, next: readable },
  { name: 'a call becomes a stream', old: called, next: streamed },
  { name: 'a call becomes a feed', old: called, next: fed },
  { name: 'a stream becomes a call', old: streamed, next: called },
  { name: 'a live value becomes a feed', old: followed, next: fed },
  { name: 'a feed becomes a live value', old: fed, next: followed },
  { name: 'a feed becomes a stream', old: fed, next: streamed },
  { name: 'a stream becomes a feed', old: streamed, next: fed },
  { name: 'a stream becomes rows', old: streamed, next: byId },
  { name: 'rows become a stream', old: byId, next: streamed },
  { name: 'rows become a feed', old: byId, next: fed },
  { name: 'a call becomes a presence', old: called, next: spoken },
  { name: 'a presence becomes a call', old: spoken, next: called },
  { name: 'a live value becomes a presence', old: followed, next: spoken },
  { name: 'a presence becomes a live value', old: spoken, next: followed },
  { name: 'a presence becomes a feed', old: spoken, next: fed },
  { name: 'a feed becomes a presence', old: fed, next: spoken },
  {
    name: 'a presence accepts one more argument',
    old: spoken,
    next: {
      ...spoken,
      contract: {
        list: presence([Type.Optional(Type.String()), Type.Optional(Type.Integer())], {
          output: Row,
        }),
      },
      says: [['list', 'here', 1]],
    },
  },
  {
    name: 'a presence accepts one argument less',
    old: spoken,
    next: {
      ...spoken,
      contract: { list: presence([], { output: Row }) },
      object: {
        list: () => list[0],
      },
      says: [],
      follows: [],
    },
  },
  {
    name: 'a presence accepts fewer values',
    old: spoken,
    next: spokenAs(Type.String({ maxLength: 2 }), 'me'),
  },
  {
    name: 'a presence accepts more values',
    old: spoken,
    next: spokenAs(Type.Union([Type.String(), Type.Number()]), 5),
  },
  {
    name: 'a presence shows more values',
    old: spoken,
    next: {
      ...spokenAs(Type.String(), 'here', Type.Union([Row, Type.Null()])),
      answers: { list: [null] },
    },
  },
  { name: 'the rows of a live list get a key', old: liveRows(), next: liveRows('id') },
  { name: 'the rows of a live list lose their key', old: liveRows('id'), next: liveRows() },
  { name: 'the rows of a live list get another key', old: liveRows('id'), next: liveRows('at') },
  { name: 'rows get another key', old: byId, next: byTime },
  {
    name: 'the events of a feed are no longer stored',
    old: fed,
    next: fleeting,
    isUnseen: true,
  },
  { name: 'the events of a feed are stored', old: fleeting, next: fed, isUnseen: true },
];
