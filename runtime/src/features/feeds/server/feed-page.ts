/** Reads a page of a feed: stored events, with the cursors from which a client can continue in both directions. */
import { type AnswerMessage, decodeAnswer } from '../../../wire/messages.ts';
import { cursorExpiredError } from '../../subscriptions/server/subscription.ts';
import { decodeCursor, encodeCursor, type Position } from '../../subscriptions/wire.ts';
import type { FeedPage } from '../wire.ts';
import type { FeedLog, LoggedEvent } from './feed-log.ts';
import type { OpenFeed } from './open-feed.ts';

/** The maximum number of characters of a page that has more than one event. */
const MAX_PAGE_SIZE = 1_000_000;

/** The characters that a page needs for an event beside its text: `{"cursor":"12345.k3x9qz","event":},`. */
const CURSOR_SIZE = 40;

interface PageChoice {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
  readonly keep: number;
}

/** @throws RpcError `CURSOR_EXPIRED` */
export function readPage(
  open: OpenFeed<FeedLog>,
  { before, after, limit, keep }: PageChoice,
): FeedPage<unknown> {
  const { log } = open;
  const { end } = log;
  const begin = typeof after === 'string' ? open.positionAfter(after, { keep }) : undefined;
  if (after !== undefined && !begin) throw cursorExpiredError();
  const last = before === undefined ? end : positionBefore(before, log, end);
  const dropped = Math.max(end.event - keep, 0);
  const { events, next } = take(log.events(begin?.event ?? dropped, last.event, !begin), limit);
  if (!begin) events.reverse();
  // A page that goes forward has older events before it, unless it begins with the oldest.
  const older = begin ? log.events(dropped, begin.event, true).next().value : next;
  return {
    events: events.map((one) => ({ cursor: encodeCursor(one), event: decodeEvent(one.text) })),
    ...(older && { before: encodeCursor(older) }),
    after: encodeCursor(begin ? (events.at(-1) ?? begin) : last),
  };
}

/** Takes the events of a page. `next` is the event after them; `undefined` if there is none. */
function take(
  found: Iterable<LoggedEvent>,
  limit: number,
): { events: LoggedEvent[]; next?: LoggedEvent } {
  const events: LoggedEvent[] = [];
  let size = 0;
  for (const one of found) {
    size += one.text.length + CURSOR_SIZE;
    const isFull = events.length === limit || (events.length > 0 && size > MAX_PAGE_SIZE);
    if (isFull) return { events, next: one };
    events.push(one);
  }
  return { events };
}

/** Returns the position before which to read. If it is before all stored events, there is nothing to read. */
function positionBefore(cursor: unknown, log: FeedLog, end: Position): Position {
  const position = decodeCursor(cursor);
  if (!position || position.event > end.event) throw cursorExpiredError();
  const epoch = log.epochOf(position.event);
  if (epoch !== undefined && epoch !== position.epoch) throw cursorExpiredError();
  return position;
}

function decodeEvent(text: string): unknown {
  const answer = decodeAnswer(JSON.parse(`[0${text}]`) as AnswerMessage);
  return 'result' in answer ? answer.result : undefined;
}
