/**
 * Live values, feeds, streams and rows as server-sent events. A response is one subscription to the object:
 *
 *     id: 41.k3x9qz
 *     data: {"from":"ann","text":"hi"}
 *
 * The id is the cursor after the event. When a subscription ends, the last event is `end` or `error`, with an id of its
 * own. A client that connects again with that id is told to stop.
 * The event `gap` has no id. It means that events of a volatile feed may be missing, and comes before the next event.
 */
import type { MethodKind } from '../wire/brands.ts';
import { RpcError } from '../wire/errors.ts';
import type { CalledObject } from './called-object.ts';
import { failure, notOurs } from './called-object.ts';
import { ObjectSubscription } from './object-subscription.ts';
import { problemOf, refuse, thrownResponse } from './problems.ts';
import { writeJson } from './values.ts';

/** The header with which a client continues after an event. */
const LAST_EVENT_ID = 'Last-Event-ID';

/** The id of the last event. No cursor is equal to this id. */
const ENDED = 'ended';

/** The id of the items of a stream, which exists as long as its response. */
const STREAMED = 'stream';

/** The milliseconds between two comments, which keep proxies from ending the response. */
const COMMENTS = 15_000;

/** The size of a chunk, in characters, from which further items go into the next chunk. */
const CHUNK = 65_536;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  // Without this header, a proxy such as nginx would hold events back.
  'X-Accel-Buffering': 'no',
};

/** The method that is followed, and its arguments. */
interface Followed {
  readonly kind: MethodKind;
  readonly readonly: boolean;
  /** The method and its arguments, as text. */
  readonly invocation: string;
}

/** Subscribes for a GET. For a HEAD, only returns the response that a GET would have. */
export async function answerEvents(
  object: CalledObject,
  { kind, readonly, invocation }: Followed,
): Promise<Response> {
  const { forwarded, binding } = object;
  const after = forwarded.headers.get(LAST_EVENT_ID) || undefined;
  if (after === ENDED) return new Response(null, { status: 204 });
  if (forwarded.method === 'HEAD') return new Response(null, { headers: HEADERS });
  if (kind === 'stream' && after !== undefined) {
    return new Response(lastEvent({ thrown: interrupted() }), { headers: HEADERS });
  }
  const cursor = isValue(kind) ? undefined : after;
  const subscription = new ObjectSubscription(object, invocation, cursor);
  const { reader } = subscription;
  try {
    const refused = await subscription.open();
    if (refused?.ok) return notOurs(binding);
    if (refused) return refuse(refused.status, await refused.text());
  } catch (error) {
    return failure(error, binding, readonly);
  }
  await subscription.begun;
  // Taking an item moves the cursor behind it.
  const begin = idOf(reader.cursor, kind);
  const first = reader.take();
  // An error at the beginning becomes a status. For a live value and for rows, the method runs after the beginning, so
  // the first item is awaited, too. An expired cursor becomes an event, since a client that connects again by itself
  // has not chosen its cursor.
  if (isValue(kind) || kind === 'rows' || !reader.isBegun) {
    try {
      await first;
    } catch (thrown) {
      if ((thrown as Partial<RpcError>).code !== 'CURSOR_EXPIRED') return thrownResponse(thrown);
    }
    if (subscription.isLost) return failure('It was stopped', binding, readonly);
  }
  return new Response(bodyOf(subscription, kind, begin, first), { headers: HEADERS });
}

/** @param begin - the id before the first item */
function bodyOf(
  subscription: ObjectSubscription,
  kind: MethodKind,
  begin: string | undefined,
  first: ReturnType<ObjectSubscription['reader']['take']>,
): ReadableStream<Uint8Array> {
  const { reader } = subscription;
  const encoder = new TextEncoder();
  let next: typeof first | undefined = first;
  // The rejection is handled when the body is read.
  first.catch(() => {});
  let comments: ReturnType<typeof setInterval>;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(begin === undefined ? ':\n\n' : `id: ${begin}\n\n`));
      comments = setInterval(() => {
        // No comment is added for a client that does not read.
        if ((controller.desiredSize as number) > 0) controller.enqueue(encoder.encode(':\n\n'));
      }, COMMENTS);
    },
    // A chunk has all items that have arrived. The object sends only as much as the client reads.
    async pull(controller) {
      let text = '';
      let isLast = false;
      try {
        do {
          const taken = next ?? reader.take();
          next = undefined;
          const { done, value } = await taken;
          isLast = done === true;
          if (subscription.takeGap()) text += event('null', undefined, 'gap');
          if (!isLast) text += event(writeJson(value) ?? 'null', idOf(reader.cursor, kind));
          // Without the event `end`, the client connects again.
          else if (!subscription.isLost) text += lastEvent({});
        } while (!isLast && reader.length > 0 && text.length < CHUNK);
      } catch (thrown) {
        isLast = true;
        text += lastEvent({ thrown });
        reader.stop({});
      }
      if (text) controller.enqueue(encoder.encode(text));
      if (!isLast) return;
      clearInterval(comments);
      controller.close();
    },
    cancel() {
      clearInterval(comments);
      reader.stop({});
    },
  });
}

/**
 * Returns whether each event of a kind of method replaces the previous event. The list of present clients is such a
 * value for a caller who only watches.
 */
function isValue(kind: MethodKind): boolean {
  return kind === 'live' || kind === 'presence';
}

/** @returns the id of an event; `undefined` for a value, because a client that connects again gets the newest value */
function idOf(cursor: string | 0 | undefined, kind: MethodKind): string | undefined {
  if (kind === 'stream') return STREAMED;
  if (isValue(kind) || !cursor) return undefined;
  // The place of a row is JSON, so that it can be written with the characters that every client sends in a header.
  return cursor.replace(
    /[^\x20-\x7E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function event(data: string, id: string | undefined, type?: string): string {
  const fields = [type && `event: ${type}\n`, id === undefined ? '' : `id: ${id}\n`];
  return `${fields.join('')}data: ${data}\n\n`;
}

function lastEvent(end: { thrown?: unknown }): string {
  if (!('thrown' in end)) return event('null', ENDED, 'end');
  return event(JSON.stringify(problemOf(end.thrown)), ENDED, 'error');
}

function interrupted(): RpcError {
  const problem = 'The stream has ended with its response, and cannot be continued';
  const instead = `to run the method again, leave out ${LAST_EVENT_ID}`;
  return new RpcError('DISCONNECTED', `${problem}: ${instead}`, { maybeExecuted: true });
}
