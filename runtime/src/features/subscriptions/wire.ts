/**
 * The messages of subscriptions. The client gives each subscription a number, `n`. The subscription keeps its number
 * when the client resumes it after a lost connection.
 *
 *     up     [["subscribe",1,null,"messages"]]
 *     down   [["subscribed",1,"40.k3x9qz"]]
 *     down   [["next",1,41,{"from":"ann","text":"hi"}]]
 *     up     [["ack",1,41]]
 *
 *     up     [["subscribe",2,null,"getTopic"]]
 *     down   [["subscribed",2],["value",2,"tea"]]
 *
 *     down   [["patch",2,0,[{"id":1,"text":"a"},{"id":2,"text":"b"}]]]
 *     down   [["patch",2,1,[0,1,{"id":2,"text":"c"}]]]
 *
 *     up     [["subscribe",3,null,"rows",["seat"]]]
 *     down   [["subscribed",3,["place"],2048],["next",3,1,[{"place":"a1"},{"place":"a2"}]],["complete",3]]
 *     up     [["unsubscribe",3]]
 *
 * Client to object:
 *
 * - `["subscribe", n, cursor, …call]`: starts a subscription, or resumes it after a cursor. With the cursor
 *   `null` it starts now. With the cursor 0 it starts again after an attempt without a reply. It ends any
 *   earlier subscription with this number. `…call` is a method, then its arguments if any.
 * - `["ack", n, count]`: the client has consumed events up to the number `count`, or `count` further live values.
 * - `["unsubscribe", n]`
 *
 * Object to client; `…value` has the form of the end of an answer:
 *
 * - `["subscribed", n]`: to a live value.
 * - `["subscribed", n, cursor]`: to a feed, after the cursor.
 * - `["subscribed", n, cursor, window, …value]`: to a feed, with the number of events that can be sent ahead, if that
 *   is not 64. A value replaces all events up to the cursor. Streams use the same messages, with an item in place of an
 *   event. The cursor of a stream is valid for this client, as long as the stream exists.
 * - `["subscribed", n, [property], window]`: to rows, which are numbered from 1 after this message. The cursor
 *   of a row is the JSON of that property. Rows are sent in lists: `next` has the number of the first row,
 *   then the list.
 * - `["gap", n]`, before `subscribed`: the client may have missed events after its cursor.
 * - `["window", n, window]`: the new number of events that can be sent ahead. The client acknowledges half of
 *   them at a time. For a live value: the value may have changed, but the client has `window` values that it has not
 *   acknowledged. The newest value follows when it has acknowledged, even if the value has not changed.
 * - `["next", n, event, …value]`: one event. Events are numbered without gaps.
 * - `["epoch", n, event, epoch]`: the cursors of the events after this event end with another epoch. If the client's last
 *   event is another event, the client has events that the feed no longer has. It subscribes again.
 * - `["value", n, …value]`: the current live value.
 * - `["patch", n, number, parts]`: the current live value, if its rows have keys. A row is an object, or a list of the
 *   general codec. Two numbers stand for rows that stay: the index of the first of them in the value before, and how many
 *   there are. The number 0 is for a patch with all rows. The patches after it count up from 1: a client that has not
 *   received the patch before subscribes again.
 * - `["patch", n, number, parts, isMap, name, length, …]`: a patch of lists by name, in an object or a `Map`.
 * - `["complete", n]`, `["complete", n, "error", thrown]`: the subscription has ended.
 * - `["complete", -n]`: the subscription is to the result of a call, which the object no longer has. The client
 *   has that result, and subscribes again.
 */
import { isString } from '../../wire/messages.ts';
import { encodeThrown } from '../../wire/values/thrown.ts';

/** The number of events that can be sent ahead of the acknowledgement. */
export const WINDOW = 64;

/** The number of rows of a method listed by `rows` that can be sent ahead of the acknowledgement. */
export const ROW_WINDOW = 2_048;

/** The number of live values that can be sent ahead. A client acknowledges when it has consumed half of them. */
export const LIVE_WINDOW = 16;

/** The position of a reader in a feed: after an event. */
export interface Position {
  /** The number of the event; 0 before the first event. */
  event: number;
  /** Distinguishes the event from a lost event that had its number before; empty before the first event. */
  epoch: string;
}

/** An event of a feed: its epoch, and the text that its message ends with. */
export interface EventText {
  readonly epoch: string;
  readonly text: string;
}

export function encodeCursor({ event, epoch }: Position): string {
  return `${event}.${epoch}`;
}

/** @returns the position; `undefined` for a value that is not a cursor */
export function decodeCursor(cursor: unknown): Position | undefined {
  const [, event, epoch] = (isString(cursor) && /^(\d{1,15})\.(\w{0,20})$/.exec(cursor)) || [];
  return epoch === undefined ? undefined : { event: Number(event), epoch };
}

/** @returns `undefined` for text that is not the place of a row */
export function decodePlace(cursor: string): string | number | undefined {
  try {
    const place: unknown = JSON.parse(cursor);
    return typeof place === 'string' || Number.isFinite(place)
      ? (place as string | number)
      : undefined;
  } catch {
    return undefined;
  }
}

/** @param invocation - the callee as JSON, then the text from `encodeArgs` */
export function encodeSubscribe(
  subscriptionId: number,
  cursor: string | 0 | undefined,
  invocation: string,
): string {
  return `["subscribe",${subscriptionId},${JSON.stringify(cursor ?? null)},${invocation}]`;
}

/** @param property - the name of the property that is the place of a row */
export function encodeSubscribedToRows(
  subscriptionId: number,
  property: string,
  window: number,
): string {
  return `["subscribed",${subscriptionId},${JSON.stringify([property])},${window}]`;
}

/** @param snapshot - replaces all earlier events: text from `encodeTail`, empty if there is none */
export function encodeSubscribed(
  subscriptionId: number,
  position: Position,
  window: number,
  snapshot = '',
): string {
  const room = snapshot || window !== WINDOW ? `,${window}` : '';
  return `["subscribed",${subscriptionId},"${encodeCursor(position)}"${room}${snapshot}]`;
}

/** @param rest - the end of the message, from `encodeTail` */
export function encodeNext(subscriptionId: number, event: number, rest: string): string {
  return `["next",${subscriptionId},${event}${rest}]`;
}

/** @param event - the last event of the previous epoch */
export function encodeEpoch(subscriptionId: number, event: number, epoch: string): string {
  return `["epoch",${subscriptionId},${event},"${epoch}"]`;
}

/**
 * @param parts - rows, and rows that stay, separated by commas
 * @param names - for lists by name, a comma and the end of the message; otherwise empty
 */
export function encodePatch(
  subscriptionId: number,
  number: number,
  parts: string,
  names: string,
): string {
  return `["patch",${subscriptionId},${number},[${parts}]${names}]`;
}

/** Encodes the message that events were missed. It comes before the message with the position to continue from. */
export function encodeGap(subscriptionId: number): string {
  return `["gap",${subscriptionId}]`;
}

export function encodeWindow(subscriptionId: number, window: number): string {
  return `["window",${subscriptionId},${window}]`;
}

/** The end of a subscription: with a thrown value, or without one if it completes. */
export interface SubscriptionEnd {
  thrown?: unknown;
}

/** @param error - left out if the subscription completed */
export function encodeComplete(
  subscriptionId: number,
  error?: { thrown: unknown; details: boolean },
): string {
  return `["complete",${subscriptionId}${error ? encodeThrown(error.thrown, error.details) : ''}]`;
}

/** @param details - see `encodeThrown` */
export function encodeEnd(subscriptionId: number, end: SubscriptionEnd, details: boolean): string {
  return encodeComplete(
    subscriptionId,
    'thrown' in end ? { thrown: end.thrown, details } : undefined,
  );
}
