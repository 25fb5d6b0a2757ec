/** Live values, feeds, streams and rows as server-sent events. */
import { EventSource } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { type FeedPage, presence } from '../../../src/client.ts';
import { VALUES } from '../values.ts';
import { PLACES } from './places.ts';
import { Following, serve } from './serve.ts';

const worker = await serve();

const follow = (path: string, headers?: Record<string, string>): Promise<Following> =>
  Following.of(worker, `BOARD/${path}`, headers);

const as = (user: string): Record<string, string> => ({ Authorization: `Bearer ${user}` });

/** Stops an object. */
async function stop(instance: string): Promise<void> {
  await (await fetch(`${worker.runtime.url}/die/${encodeURIComponent(instance)}`)).text();
}

const numbers = (from: number, to: number): { n: number }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ n: from + index }));

const problem = (event: { data: string } | undefined): unknown => JSON.parse(event?.data ?? '""');

test('the value and each change of a live value are sent', async () => {
  using client = worker.connect('live');
  using values = await follow('live/topic?of=tea');
  expect(values.response.status).toBe(200);
  expect(values.response.headers.get('Content-Type')).toBe('text/event-stream');
  expect(values.response.headers.get('Cache-Control')).toBe('no-store, no-transform');
  expect(await values.take(1)).toEqual(['']);
  await client.setTopic('green', 'tea');
  await client.setTopic('unheard');
  await client.setTopic('black', 'tea');
  expect(await values.take(2)).toEqual(['green', 'black']);
  expect(values.text).not.toContain('id:');
});

test('rows with keys are sent as a whole list', async () => {
  using client = worker.connect('words');
  await client.setTopic('tea with milk');
  using values = await follow('words/words');
  await client.setTopic('milk with tea');
  await client.setTopic('milk without tea');
  const lists = ['tea with milk', 'milk with tea', 'milk without tea'].map((topic) =>
    topic.split(' ').map((word) => ({ word })),
  );
  expect(await values.take(1)).toEqual(lists.slice(0, 1));
  expect((await values.take(2)).at(-1)).toEqual(lists[2]);
});

describe('a feed', () => {
  test('begins now, and goes on after each id', async () => {
    using client = worker.connect('feed');
    await client.say(3);
    using first = await follow('feed/news');
    // The id of the beginning arrives before the first event.
    await first.read();
    expect(first.text).toMatch(/^id: 3\.\w+\n\n$/);
    await client.say(2);
    const [one, two] = [await first.next(), await first.next()];
    expect([one, two].map(problem)).toEqual(numbers(4, 5));
    using second = await follow('feed/news', { 'Last-Event-ID': one?.id ?? '' });
    expect(await second.take(1)).toEqual(numbers(5, 5));
    using third = await follow('feed/news', { 'Last-Event-ID': '0.' });
    expect(await third.take(5)).toEqual(numbers(1, 5));
    expect(third.lastId).toBe(two?.id);
  });

  test('follows a page of its history, whose cursors are ids', async () => {
    using client = worker.connect('history');
    await client.say(8);
    const page = async (query = ''): Promise<FeedPage<{ n: number }>> => {
      const url = `${worker.runtime.url}/__rpc/BOARD/history/history${query}`;
      return (await (await fetch(url)).json()) as FeedPage<{ n: number }>;
    };
    const newest = await page();
    const older = await page(`?before=${newest.before}`);
    expect([...older.events, ...newest.events].map(({ event }) => event)).toEqual(numbers(3, 8));
    await client.say(2);
    using feed = await follow('history/news', { 'Last-Event-ID': newest.after });
    expect(await feed.take(2)).toEqual(numbers(9, 10));
    using again = await follow('history/news', {
      'Last-Event-ID': older.events[1]?.cursor ?? '',
    });
    expect(await again.take(6)).toEqual(numbers(5, 10));
    const later = await page();
    expect(later.after).toBe(feed.lastId);
    const url = `${worker.runtime.url}/__rpc/BOARD/history/history?before=5.other`;
    const refused = await fetch(url);
    expect(refused.status).toBe(410);
    expect(await refused.json()).toMatchObject({ code: 'CURSOR_EXPIRED' });
  });

  test('sends ten thousand events, and each of them once', async () => {
    using client = worker.connect('many');
    for (let times = 0; times < 10; times++) await client.say(1_000);
    using feed = await follow('many/news', { 'Last-Event-ID': '0.' });
    expect(await feed.take(10_000)).toEqual(numbers(1, 10_000));
  });

  test('begins with a snapshot, which has an id', async () => {
    using client = worker.connect('snapshot');
    await client.say(15);
    using feed = await follow('snapshot/tally');
    const snapshot = await feed.next();
    expect(problem(snapshot)).toEqual({ all: 15 });
    await client.say(1);
    expect(await feed.take(1)).toEqual(numbers(16, 16));
    using again = await follow('snapshot/tally', { 'Last-Event-ID': snapshot?.id ?? '' });
    expect(await again.take(1)).toEqual(numbers(16, 16));
    using late = await follow('snapshot/tally', { 'Last-Event-ID': '0.' });
    expect(await late.take(1)).toEqual([{ all: 16 }]);
  });

  test('ends with an error when its events are gone, and the next request gets no content', async () => {
    using client = worker.connect('gone');
    await client.say(15);
    using feed = await follow('gone/brief', { 'Last-Event-ID': '0.' });
    const [error, ...more] = await feed.all();
    expect(feed.response.status).toBe(200);
    expect(more).toEqual([]);
    expect(error?.event).toBe('error');
    expect(problem(error)).toMatchObject({ code: 'CURSOR_EXPIRED', status: 410 });
    using next = await follow('gone/brief', { 'Last-Event-ID': error?.id ?? '' });
    expect(next.response.status).toBe(204);
    expect(await next.response.headers.get('Content-Type')).toBeNull();
  });

  test.each<[string, string]>([
    ['no cursor', 'x'],
    ['a number', '5'],
    ['a later event', '99999.abc'],
    ['another epoch', '2.zzzzzz'],
    ['a large number', '9999999999999999999.a'],
    ['a negative number', '-1.'],
    ['JSON', '{"event":1}'],
    ['a message', '"],["unsubscribe",1],["say'],
    ['the id of a stream', 'stream'],
    ['much text', 'x'.repeat(5_000)],
    ['bytes', '\xff\xfe'],
  ])('with a Last-Event-ID that is %s ends with one error', async (name, id) => {
    using client = worker.connect(`hostile ${name}`);
    await client.say(3);
    using feed = await follow(`hostile ${name}/news`, { 'Last-Event-ID': id });
    const all = await feed.all();
    expect(all.map((event) => [event.event, problem(event)])).toEqual([
      ['error', expect.objectContaining({ code: 'CURSOR_EXPIRED' })],
    ]);
    expect(await client.followers()).toHaveLength(1);
    expect(await client.said()).toBe(3);
  });

  test('has the values of the table as JSON', async () => {
    using client = worker.connect('values');
    using feed = await follow('values/news');
    await feed.read();
    for (const [name, { json }] of Object.entries(VALUES)) {
      await client.sayValue(name);
      expect([name, ...(await feed.take(1))]).toEqual([name, json ?? null]);
    }
  });
});

test('a volatile feed reports once that events are missing, and goes on', async () => {
  using client = worker.connect('flying');
  using feed = await follow('flying/flying');
  await feed.read();
  await client.say(2);
  expect(await feed.take(2)).toEqual(numbers(1, 2));
  using near = await follow('flying/flying', { 'Last-Event-ID': '1.x' });
  await near.read();
  using next = await follow('flying/flying', { 'Last-Event-ID': feed.lastId ?? '' });
  await next.read();
  await client.say(1);
  for (const following of [feed, next]) expect(await following.take(1)).toEqual(numbers(3, 3));
  expect(await near.next()).toEqual({ event: 'gap', data: 'null', id: undefined });
  expect(await near.take(1)).toEqual(numbers(3, 3));
  await stop('flying');
  // The followers subscribe again by themselves.
  await until(async () => (await client.followers()).length === 4);
  await client.say(1);
  for (const following of [feed, next, near]) {
    expect(await following.next()).toMatchObject({ event: 'gap', data: 'null' });
    expect(await following.take(1)).toEqual(numbers(4, 4));
  }
});

describe('a presence', () => {
  test('is followed as the list of present clients', async () => {
    using ann = worker.connect('present');
    using client = worker.connect('present');
    using lists = await follow('present/seen');
    expect(lists.response.status).toBe(200);
    expect(await lists.take(1)).toEqual([[]]);
    const seen = presence(ann, (board) => board.seen());
    seen.update('door');
    const leave = seen.subscribe(() => {});
    const key = expect.any(String) as string;
    expect(await lists.take(1)).toEqual([[{ key, value: { user: null, place: 'door' } }]]);
    seen.update('desk');
    expect(await lists.take(1)).toEqual([[{ key, value: { user: null, place: 'desk' } }]]);
    // A follower is not present itself.
    expect(await client.followers()).toHaveLength(3);
    leave();
    expect(await lists.take(1)).toEqual([[]]);
    expect(lists.text).not.toContain('id:');
  });

  test.each<[string, string, RequestInit, number, string]>([
    ['a call', 'seen', { method: 'POST', body: '[]' }, 405, 'seen allows only GET, HEAD'],
    [
      'a GET for JSON',
      'seen',
      {},
      406,
      'seen returns events: send the header Accept: text/event-stream',
    ],
    [
      'a value to show',
      'seen?place=door',
      { headers: { Accept: 'text/event-stream' } },
      400,
      'place',
    ],
    [
      'a user who may not watch',
      'seen',
      { headers: { Accept: 'text/event-stream', ...as('barred') } },
      500,
      'Not for you',
    ],
  ])('rejects %s', async (_, path, init, status, detail) => {
    const accept = { Accept: 'application/json' };
    const response = await fetch(`${worker.runtime.url}/__rpc/BOARD/refused/${path}`, {
      headers: accept,
      ...init,
    });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { detail: string }).detail).toContain(detail);
  });
});

describe('a stream', () => {
  test('sends its items and its end, and does not begin again', async () => {
    using items = await follow('stream/count?count=300');
    const all = await items.all();
    expect(all.slice(0, -1).map(problem)).toEqual(numbers(1, 300).map(({ n }) => n));
    expect(all.at(-1)).toEqual({ event: 'end', id: 'ended', data: 'null' });
    expect(
      (await follow('stream/count?count=5', { 'Last-Event-ID': 'ended' })).response.status,
    ).toBe(204);
  });

  test('that was cut off does not run again', async () => {
    using client = worker.connect('cut stream');
    const items = await follow('cut stream/work?name=a');
    const item = await items.next();
    expect(problem(item)).toBe('a 1');
    items.close();
    await until(async () => (await client.notes()).includes('a ends'));
    using again = await follow('cut stream/work?name=a', { 'Last-Event-ID': item?.id ?? '' });
    const [error, ...more] = await again.all();
    expect(more).toEqual([]);
    expect(problem(error)).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await client.notes()).toEqual(['a begins', 'a ends']);
  });

  test('that fails ends with the error', async () => {
    using items = await follow('failing stream/work?name=a&failsAfter=2');
    const all = await items.all();
    expect(all.map(problem)).toEqual([
      'a 1',
      'a 2',
      expect.objectContaining({ title: 'RangeError', detail: 'No more', status: 500 }),
    ]);
    expect(all.at(-1)).toMatchObject({ event: 'error', id: 'ended' });
  });
});

test('rows are sent in order, and go on after each id', async () => {
  using all = await follow('rows/seats');
  const events = await all.all();
  const rows = events.slice(0, -1);
  const places = PLACES.toSorted();
  expect(rows.map(problem)).toEqual(places.map((place) => ({ place })));
  expect(events.at(-1)?.event).toBe('end');
  for (const [index, { id = '' }] of rows.entries()) {
    using rest = await follow('rows/seats', { 'Last-Event-ID': id });
    expect(await rest.take(9)).toEqual([
      ...places.slice(index + 1).map((place) => ({ place })),
      null,
    ]);
  }
  using some = await follow('rows/seatsIn?row=2');
  expect(await some.take(9)).toEqual([{ place: '"a"' }, { place: '1' }, null]);
  using hostile = await follow('rows/seats', { 'Last-Event-ID': '[1' });
  expect((await hostile.next())?.event).toBe('error');
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ['a feed', 'first/news', { 'Last-Event-ID': '0.' }, /^id: 0\.\w*\n\nid: 1\./],
  ['rows', 'first/seats', {}, /^:\n\nid: /],
])('no id comes before the first item of %s', async (_, path, headers, expected) => {
  using client = worker.connect('first');
  await client.say(3);
  using all = await follow(path, headers);
  await all.take(2);
  expect(all.text).toMatch(expected);
});

describe('a follower is rejected with a status', () => {
  test.each<[string, string, number, string, Record<string, string>?]>([
    ['wrong arguments', 'BOARD/x/topic?args=[5]', 400, 'INVALID_ARGUMENTS'],
    ['unreadable arguments', 'BOARD/x/topic?to=5', 400, 'BAD_MESSAGE'],
    ['wrong arguments of a stream', 'BOARD/x/count?count=0', 400, 'INVALID_ARGUMENTS'],
    ['missing arguments', 'BOARD/x/count', 400, 'INVALID_ARGUMENTS'],
    ['too many arguments', 'BOARD/x/news?args=[1]', 400, 'INVALID_ARGUMENTS'],
    ['the cursor of rows', 'BOARD/x/seats?args=["a"]', 400, 'INVALID_ARGUMENTS'],
    [
      'arguments that are too large',
      `BOARD/x/topic?of=${'x'.repeat(13_000)}`,
      429,
      'LIMIT_EXCEEDED',
    ],
    ['a value whose method throws', 'BOARD/x/topic?of=broken', 500, 'RangeError'],
    ['a method that is not live', 'BOARD/x/plain', 406, 'BAD_MESSAGE'],
    ['a method that is not listed', 'BOARD/x/secret', 404, 'METHOD_NOT_FOUND'],
    ['a class that is not wrapped', 'BARE/x/news', 501, 'UNSUPPORTED'],
    ['a class that is not wrapped and responds itself', 'OWN/x/news', 501, 'UNSUPPORTED'],
    [
      'events with the weight 0',
      'BOARD/x/news',
      406,
      'BAD_MESSAGE',
      { Accept: 'text/event-stream;q=0' },
    ],
    ['anything', 'BOARD/x/news', 406, 'BAD_MESSAGE', { Accept: '*/*' }],
    [
      'a page of another origin',
      'BOARD/x/news',
      403,
      'FORBIDDEN',
      { Origin: 'https://evil.example' },
    ],
  ])('%s', async (_, path, status, title, headers) => {
    using refused = await Following.of(worker, path, headers);
    expect(refused.response.headers.get('Content-Type')).toBe('application/problem+json');
    while (await refused.read());
    expect(JSON.parse(refused.text)).toMatchObject({ status, title });
    expect(refused.response.status).toBe(status);
  });
});

test.each<[string, string, string]>([
  ['topic', 'text/event-stream, */*', 'text/event-stream'],
  ['topic', 'text/event-stream;q=0.5, application/json', 'application/json'],
  ['topic', 'application/json;q=0.5, text/*;q=0.9', 'text/event-stream'],
  ['topic', '*/*', 'application/json'],
  ['news', 'application/json, Text/Event-Stream; q=0.1', 'text/event-stream'],
])('%s for Accept: %s is %s', async (method, Accept, type) => {
  using answer = await follow(`accept/${method}`, { Accept });
  expect(answer.response.headers.get('Content-Type')).toBe(type);
});

test('HEAD subscribes to nothing', async () => {
  const response = await fetch(`${worker.runtime.url}/__rpc/BOARD/head/work?name=a`, {
    method: 'HEAD',
    headers: { Accept: 'text/event-stream' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  using client = worker.connect('head');
  expect(await client.notes()).toEqual([]);
});

describe('the caller', () => {
  test('is set by the hook, and only the hook lets the caller in', async () => {
    using values = await follow('caller/whoami', as('ada'));
    expect(await values.take(1)).toEqual([{ user: 'ada' }]);
    using nobody = await follow('caller/whoami');
    expect(await nobody.take(1)).toEqual([null]);
    using client = worker.connect('caller');
    expect(await client.followers()).toEqual(expect.arrayContaining([{ user: 'ada' }, null]));
  });

  test('gets an error when its connections are closed', async () => {
    using client = worker.connect('closed');
    using values = await follow('closed/topic', as('eve'));
    await values.take(1);
    expect(await client.ban('eve')).toBe(1);
    const error = await values.next();
    expect(error).toMatchObject({ event: 'error', id: 'ended' });
    expect(problem(error)).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(await values.next()).toBeUndefined();
  });

  test('that the hook no longer lets in does not go on after the object was stopped', async () => {
    using values = await follow('banned/topic', as('mallory'));
    await values.take(1);
    await fetch(`${worker.runtime.url}/ban/mallory`);
    await stop('banned');
    expect(await values.next()).toBeUndefined();
    expect((await follow('banned/topic', as('mallory'))).response.status).toBe(401);
  });
});

describe('after the object was stopped', () => {
  test('a feed goes on, and each event arrives once', async () => {
    using client = worker.connect('stopped feed');
    using feed = await follow('stopped feed/news', as('stopped'));
    await feed.read();
    for (let round = 0; round < 3; round++) {
      await client.say(100);
      await stop('stopped feed');
    }
    await client.say(1);
    expect(await feed.take(301)).toEqual(numbers(1, 301));
    expect(await client.lives()).toBeGreaterThan(3);
  });

  test('a live value and rows go on, and a stream ends with an error', async () => {
    using client = worker.connect('stopped others');
    using values = await follow('stopped others/topic');
    using items = await follow('stopped others/work?name=a');
    expect(await values.take(1)).toEqual(['']);
    await items.take(1);
    await stop('stopped others');
    await client.setTopic('new');
    expect(await values.take(1)).toEqual(['new']);
    const last = (await items.all()).at(-1);
    expect(last?.event).toBe('error');
    expect(problem(last)).toMatchObject({ code: 'DISCONNECTED' });
  });

  test('a new follower can go on after the last id, if the Worker was killed', async () => {
    using client = worker.connect('killed');
    using feed = await follow('killed/news');
    await client.say(5);
    await feed.take(5);
    await worker.restart();
    await expect(feed.next()).rejects.toThrow();
    using again = await follow('killed/news', { 'Last-Event-ID': feed.lastId ?? '' });
    await client.say(1);
    expect(await again.take(1)).toEqual(numbers(6, 6));
  });
});

test('a follower that does not read gets no more than its window', async () => {
  using client = worker.connect('paused');
  using items = await follow('paused/pour');
  await items.take(3);
  // The sockets buffer some items, and then no more items are produced.
  let before: string | undefined;
  await until(async () => {
    const [produced] = await client.notes();
    const isStill = produced === before;
    before = produced;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isStill;
  });
  expect(Number(before)).toBeLessThan(300);
  expect(await items.take(500)).toHaveLength(500);
});

describe('another implementation of EventSource', () => {
  const open = (path: string): EventSource =>
    new EventSource(`${worker.runtime.url}/__rpc/BOARD/${path}`);

  test('goes on through restarts, and gets each event once', async () => {
    using client = worker.connect('source');
    const source = open('source/news');
    const heard: unknown[] = [];
    source.addEventListener('message', ({ data }) => heard.push(JSON.parse(data as string)));
    await until(() => source.readyState === EventSource.OPEN);
    let said = 0;
    for (let round = 0; round < 2; round++) {
      said = await client.say(20);
      await until(() => heard.length === said);
      await worker.restart();
      said = await client.say(20);
    }
    await until(() => heard.length === said);
    expect(heard).toEqual(numbers(1, said));
    source.close();
  });

  test('stops after the end', async () => {
    const source = open('source end/count?count=3');
    const heard: unknown[] = [];
    source.addEventListener('message', ({ data }) => heard.push(JSON.parse(data as string)));
    const ended = new Promise((resolve) => source.addEventListener('end', resolve));
    await ended;
    expect(heard).toEqual([1, 2, 3]);
    await until(() => source.readyState === EventSource.CLOSED);
  });
});
