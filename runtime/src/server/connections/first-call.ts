/**
 * Finds the first call of a frame that cannot be read, for example because it is too large. The client knows the rest.
 */
import type { Frame } from '../../wire/messages.ts';

/**
 * The part of a frame that is searched, in characters or bytes. A client sends less than this before the first call,
 * unless it sends thousands of traces in one frame.
 */
const BEGINNING = 524_288;

/** Matches the messages about calls, then the id of the first call or the kind of a message of a feature. */
const FIRST =
  /^\[(?:\["(?:cancel|awaits|resent|bytes)"[\d,]*\],|\["trace"(?:,\[-?\d+(?:,"(?:[^"\\]|\\.)*")*\])*\],)*\[(?:(\d+),|")/;

/** The first call of a frame none of whose calls has run. */
export interface FirstCall {
  /** The id of the call; -1 if the frame begins with a message of a feature, as the frames without calls do. */
  readonly id: number;
  /** True if some of the calls were sent before, and may have run then. */
  readonly isResent: boolean;
}

/**
 * @param frame - a frame or its beginning
 * @returns `undefined` if the first call cannot be found
 */
export function firstCallIn(frame: Frame | undefined): FirstCall | undefined {
  // A binary frame is empty once it has been read.
  if (!frame || (typeof frame !== 'string' && frame.byteLength === 0)) return undefined;
  const start = frame.slice(0, BEGINNING);
  const found = FIRST.exec(typeof start === 'string' ? start : new TextDecoder().decode(start));
  return found
    ? { id: Number(found[1] ?? -1), isResent: found[0].includes('"resent"') }
    : undefined;
}
