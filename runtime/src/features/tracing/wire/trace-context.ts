/**
 * The trace that a call belongs to, as W3C Trace Context writes it, and the message with it:
 *
 *     up     [["trace",[1,"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]],[1,"increment"]]
 *
 * - `["trace", [id, traceparent], [id, traceparent, tracestate], …]`: the spans in which later calls of the frame are
 *   made. A negative id is the number of a subscription. From the object to a client, an id is the number of a call of
 *   a callback. An entry that is malformed is ignored, as the standard demands for its headers.
 */
import { isString } from '../../../wire/messages.ts';

/** The kind of the message. */
export const TRACE = 'trace';

/** A span of another program. */
export interface TraceContext {
  /**
   * The version, the id of the trace, the id of the span, and the flags:
   * `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
   */
  readonly traceparent: string;
  /** The additions of tracers, at most 512 characters. */
  readonly tracestate?: string | undefined;
}

/** The format of version 00, the only version. The ids cannot be zeros. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

const MAX_TRACESTATE = 512;

/**
 * A member of `tracestate`: a key, and a value of printable characters. The spaces at the end belong to the group, because
 * two repetitions of spaces in a row would take time that grows with the square of their number.
 */
const MEMBER = /^[ \t]*(?:[a-z\d][a-z\d_*/@-]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~][ \t]*)?$/;

/**
 * Reads a trace that another program has sent.
 *
 * @returns `undefined` for a `traceparent` that is malformed. A malformed `tracestate` is left out.
 */
export function traceContextOf(
  traceparent: unknown,
  tracestate?: unknown,
): TraceContext | undefined {
  if (!isString(traceparent) || !TRACEPARENT.test(traceparent)) return undefined;
  const isValid =
    isString(tracestate) &&
    tracestate !== '' &&
    tracestate.length <= MAX_TRACESTATE &&
    tracestate.split(',').every((member) => MEMBER.test(member));
  return isValid ? { traceparent, tracestate } : { traceparent };
}

/**
 * Writes the message.
 *
 * @param room - the maximum number of characters; further entries are left out
 * @returns `undefined` if no entry has room
 */
export function encodeTraces(
  entries: Iterable<readonly [id: number, context: TraceContext]>,
  room: number,
): string | undefined {
  let text = '';
  for (const [id, { traceparent, tracestate }] of entries) {
    const state = tracestate ? `,${JSON.stringify(tracestate)}` : '';
    const entry = `,[${id},${JSON.stringify(traceparent)}${state}]`;
    if (text.length + entry.length + TRACE.length + 4 <= room) text += entry;
  }
  return text ? `["${TRACE}"${text}]` : undefined;
}

/** Reads the traces in a message. If two entries have one id, the last entry counts. */
export function readTracesIn(
  message: readonly unknown[],
  read: (id: number, context: TraceContext) => void,
): void {
  // The loop uses an index, because destructuring uses an iterator, which takes longer than the rest of the function.
  for (let index = 1; index < message.length; index++) {
    const entry = message[index];
    if (!Array.isArray(entry)) continue;
    const id: unknown = entry[0];
    const context = traceContextOf(entry[1], entry[2]);
    if (Number.isSafeInteger(id) && context) read(id as number, context);
  }
}
