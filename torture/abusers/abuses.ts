/** The kinds of abuse by a client. Each kind has messages of a valid client, for comparison. */
import { randomBytes } from 'node:crypto';
import { countFrames, countResponses, type FloodOptions, frame, upgrade } from './flood.ts';

/** @param url - the URL of the object's `call` path */
type Way = (url: string) => Omit<FloodOptions, 'url'>;

export interface Abuse {
  readonly name: string;
  readonly abuse: Way;
  /** Valid messages. A piece has as many of them as a piece of the abuse. */
  readonly goodWill: Way;
  /** The limit that allows this cost. The figure is then only reported. */
  readonly allowedBy?: string;
}

/** The number of calls in a frame. */
const CALLS = 100;
const MEBIBYTE = 1_048_576;
/** The duration of the methods that are cancelled at once, in milliseconds. */
const SLOW = 2_000;
/** The characters of an answer that is not read, and the number of calls per second for such answers. */
const UNREAD = 20_000;
const UNREAD_RATE = 100;

const BY_SOCKET = { handshake: upgrade, answers: countFrames };

const COUNTS: Way = () => ({ ...BY_SOCKET, pieces: () => numbered((id) => [[id, 'count']]) });
const ONE_COUNT: Way = () => ({ ...BY_SOCKET, pieces: () => numbered((id) => [[id, 'count']], 1) });
/** The maximum number of values and characters in a frame. */
const MUCH = JSON.stringify([[1, 'weigh', [Array.from({ length: 99_000 }, () => 'x'.repeat(38))]]]);

export const ABUSES: readonly Abuse[] = [
  {
    name: 'garbage',
    abuse: () => ({ ...BY_SOCKET, pieces: () => cycle(garbage().map(frame)) }),
    goodWill: ONE_COUNT,
  },
  {
    name: 'unknown methods',
    abuse: () => ({ ...BY_SOCKET, pieces: () => numbered((id) => [[id, 'nothing']]) }),
    goodWill: COUNTS,
  },
  {
    name: 'bad arguments',
    abuse: () => ({ ...BY_SOCKET, pieces: () => numbered((id) => [[id, 'add', ['t', 1, '2']]]) }),
    goodWill: COUNTS,
  },
  {
    name: 'frames with 4 MiB of empty messages',
    abuse: () => ({
      ...BY_SOCKET,
      pieces: () => cycle([frame(`[${'[0],'.repeat(MEBIBYTE - 1)}0]`)]),
    }),
    goodWill: () => ({ ...BY_SOCKET, pieces: () => cycle([frame(MUCH)]) }),
    // `JSON.parse` takes 100 to 300 ms for a million arrays.
    allowedBy: 'frameSize',
  },
  {
    name: 'bodies of 60 MB without a length',
    abuse: (url) => ({
      // One piece is one request, even if the server refuses a part of it.
      pieces: () => cycle([chunked(url, 60)]),
      answers: countResponses,
    }),
    goodWill: (url) => ({ pieces: () => cycle([post(url, MUCH)]), answers: countResponses }),
  },
  {
    name: 'answers that are not read',
    abuse: () => ({ handshake: upgrade, pieces: askForMuch, rate: UNREAD_RATE }),
    goodWill: () => ({ ...BY_SOCKET, pieces: askForMuch }),
  },
  {
    name: 'slow calls, cancelled at once',
    abuse: () => ({ ...BY_SOCKET, pieces: () => numbered(callAndCancel, CALLS, 'lives') }),
    goodWill: COUNTS,
    allowedBy: 'callsInFlight',
  },
];

function askForMuch(): (answered: number) => Buffer {
  return numbered((id) => [[id, 'readText', [UNREAD]]], 1);
}

function callAndCancel(id: number): unknown[] {
  return [
    [id, 'linger', [SLOW]],
    ['cancel', id],
  ];
}

function cycle(all: readonly Buffer[]): () => Buffer {
  let next = 0;
  return () => all[next++ % all.length] as Buffer;
}

/**
 * Returns frames of calls with consecutive ids. Each frame acknowledges earlier answers, as a client does.
 *
 * @param last - a method that returns an answer, if the other methods do not
 */
function numbered(
  messagesOf: (id: number) => unknown[],
  calls = CALLS,
  last?: string,
): (answered: number) => Buffer {
  const idsOfOne = last ? calls + 1 : calls;
  let id = 0;
  return (answered) => {
    const awaits = ['awaits', answered * idsOfOne + 1];
    const messages = Array.from({ length: calls }, () => messagesOf(++id)).flat();
    if (last) messages.push([++id, last]);
    return frame(JSON.stringify([awaits, ...messages]));
  };
}

function post(url: string, body: string): Buffer {
  return Buffer.from(`${headOf(url)}Content-Length: ${body.length}\r\n\r\n${body}`);
}

/** Returns a request whose body has this number of mebibytes, without a length. */
function chunked(url: string, mebibytes: number): Buffer {
  const chunk = `${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}\r\n`;
  const body = `${chunk.repeat(mebibytes)}0\r\n\r\n`;
  return Buffer.from(`${headOf(url)}Transfer-Encoding: chunked\r\n\r\n${body}`);
}

function headOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
}

function garbage(): (string | Buffer)[] {
  return [
    randomBytes(500),
    randomBytes(500).toString('latin1'),
    '['.repeat(500),
    '[[1,"count"',
    JSON.stringify([[1e9, 'count', ['x']]]),
    JSON.stringify([[1, '__proto__'], [2, 'constructor', [1]], ['cancel', 'x'], [null], []]),
    JSON.stringify([[7, 'count', 'rich', [[[['Map', 9, 9], [1]]], ['Call', 99]]]]),
    JSON.stringify({ calls: [] }),
  ];
}
