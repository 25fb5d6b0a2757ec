/**
 * What the two ends say of subscriptions. The client numbers them, `n`; a number stands for the same
 * subscription when it is begun again after a lost connection.
 *
 *     up     [["subscribe",1,null,"messages"]]
 *     down   [["subscribed",1,"40.k3x9qz"]]
 *     down   [["next",1,41,{"from":"ann","text":"hi"}]]
 *     up     [["ack",1,41]]
 *
 *     up     [["subscribe",2,null,"getTopic"]]
 *     down   [["subscribed",2],["value",2,"tea"]]
 *
 *     up     [["subscribe",3,null,"rows",["seat"]]]
 *     down   [["subscribed",3,["place"],2048],["next",3,1,[{"place":"a1"},{"place":"a2"}]],["complete",3]]
 *     up     [["unsubscribe",3]]
 *
 * Client to object:
 *
 * - `["subscribe", n, cursor, …call]`: begins, or goes on after a cursor; without one, `null`, it begins
 *   now. Whatever had the number before ends. It ends like a call: a method, then its arguments if any. The
 *   cursor 0 is that of a further attempt, when nothing was heard of the ones before.
 * - `["ack", n, count]`: events up to that one, or so many further values, have been consumed.
 * - `["unsubscribe", n]`
 *
 * Object to client; `…value` is what an answer ends with:
 *
 * - `["subscribed", n]`: to a live value. `["subscribed", n, cursor]`: to a feed, after the cursor.
 *   `["subscribed", n, cursor, window, …value]`: so many events may be sent ahead, if that is not 64;
 *   and the value, if there is one, stands for all events up to the cursor.
 *   To a stream, likewise: its items are the events, and the cursor is good for this client and as long as
 *   the stream lives.
 * - `["subscribed", n, [property], window]`: to rows, which are numbered from 1 on here. The cursor of a row is
 *   the JSON of that property. They come in lists: `next` has the number of the first, and the list.
 * - `["window", n, window]`: from now on so many may be sent ahead. The client acknowledges half of it at a time.
 * - `["next", n, event, …value]`: one event. They are numbered without gaps.
 * - `["value", n, …value]`: a live value as it is now.
 * - `["complete", n]`, `["complete", n, "error", thrown]`: no more will come.
 * - `["complete", -n]`: what is subscribed to is the result of a call, which the object does not know any
 *   more. The client has it, and subscribes again.
 *
 * Imports messages, rich-encoder and thrown.
 */
import { encodeRest } from './messages.ts';
import type { ReferenceOf } from './rich-encoder.ts';
import { encodeThrown } from './thrown.ts';

/** How many events are sent ahead of what has been acknowledged. */
export const WINDOW = 64;

/** How many rows are, of a method with `cursor`. */
export const ROW_WINDOW = 2_048;

/** How many values are; a client acknowledges when it has consumed half of them. */
export const LIVE_WINDOW = 16;

/** Where a reader of a feed is: after an event of one log. */
export interface Position {
  /** The number of the event; 0 before the first. */
  event: number;
  /** Tells the log from one that was there before it; empty while there is none. */
  epoch: string;
}

export function encodeCursor({ event, epoch }: Position): string {
  return `${event}.${epoch}`;
}

/** @returns `undefined` for what is no cursor */
export function decodeCursor(cursor: string): Position | undefined {
  const [, event, epoch] = /^(\d{1,15})\.(\w{0,20})$/.exec(cursor) ?? [];
  return epoch === undefined ? undefined : { event: Number(event), epoch };
}

/** @returns `undefined` for what is no place of a row */
export function decodePlace(cursor: string): string | number | undefined {
  try {
    const place: unknown = JSON.parse(cursor);
    return typeof place === 'string' || typeof place === 'number' ? place : undefined;
  } catch {
    return undefined;
  }
}

/** @param invocation - from `encodeInvocation` */
export function encodeSubscribe(
  n: number,
  cursor: string | 0 | undefined,
  invocation: string,
): string {
  return `["subscribe",${n},${JSON.stringify(cursor ?? null)},${invocation}]`;
}

/** @param property - of each row, which is its place */
export function encodeSubscribedToRows(n: number, property: string, window: number): string {
  return `["subscribed",${n},${JSON.stringify([property])},${window}]`;
}

/**
 * @param snapshot - the event that stands for all before, if it begins with one
 * @param referenceOf - says which parts of it are sent as references
 */
export function encodeSubscribed(
  n: number,
  position: Position,
  window: number,
  snapshot: unknown,
  referenceOf?: ReferenceOf,
): string {
  const value = encodeRest(snapshot, referenceOf);
  const room = value || window !== WINDOW ? `,${window}` : '';
  return `["subscribed",${n},"${encodeCursor(position)}"${room}${value}]`;
}

/** @param rest - what the message ends with, from `encodeRest` */
export function encodeNext(n: number, event: number, rest: string): string {
  return `["next",${n},${event}${rest}]`;
}

export function encodeWindow(n: number, window: number): string {
  return `["window",${n},${window}]`;
}

/** How a subscription ends: with what was thrown, unless it ends as it should. */
export interface End {
  thrown?: unknown;
}

/** @param error - left out when it ended as it should */
export function encodeComplete(n: number, error?: { thrown: unknown; details: boolean }): string {
  return `["complete",${n}${error ? encodeThrown(error.thrown, error.details) : ''}]`;
}

/** @param details - see `encodeThrown` */
export function encodeEnd(n: number, end: End, details: boolean): string {
  return encodeComplete(n, 'thrown' in end ? { thrown: end.thrown, details } : undefined);
}
