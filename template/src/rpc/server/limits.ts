/** How much a client may ask of an object. Imports wire/. */
import { CALLS_IN_FLIGHT, CALLS_PER_FRAME, FRAME_SIZE } from '../wire/limits.ts';

/**
 * What a client may ask for. A breach answers `LIMIT_EXCEEDED`, and what is beyond the limit is not
 * done. Each limit says when it is checked.
 */
export interface Limits {
  /**
   * Characters of text in one frame, and bytes beside it. Checked before the frame is parsed; of a POST,
   * while its body is being read. Default 4 194 304 (4 MiB of ASCII).
   */
  frameSize: number;
  /**
   * Calls in one frame; any other message counts like a call, but for three about the connection.
   * Checked before the first of them runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, cancelled ones too. Checked before each call.
   * Default 10 000.
   */
  callsInFlight: number;
  /**
   * Calls that one connection may make in a second, and at most at once. Checked before anything
   * else is done for a call. Each POST is a connection of its own. Default no limit.
   */
  callsPerSecond: number;
  /**
   * Messages of one connection that may be refused: unknown methods, wrong arguments, other limits.
   * A call that runs takes one of them back, and a frame that cannot be read counts for ten. Checked
   * after each frame; the connection is closed with 4429. From 100 on, its frames wait for their turn
   * behind those of other connections. Default 10 000.
   */
  refusals: number;
  /** RPC sockets of one object at a time. Checked at each upgrade. Default no limit. */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that are kept current at a time; equal ones count once. Checked
   * at each subscription. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time: of methods without `cursor`, and not consumed to their
   * end. Together they hold about 32 MiB at most. Checked at each. Default 1 000.
   */
  streams: number;
  /**
   * Calls of a connection's callbacks that have no answer. Checked at each; the promise of one that is too
   * many rejects. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams that are arguments of a connection's calls, until those end. Each holds up to 1 MiB that its
   * method has not taken. Checked at each; the call of one that is too many is refused. Default 32.
   */
  argumentStreams: number;
  /** Arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Levels of objects within objects in the arguments of one call. Checked when they are decoded,
   * before their schemas. Default 100.
   */
  valueDepth: number;
  /** Objects, primitives and holes in the arguments of one call. Checked likewise. Default 100 000. */
  valueCount: number;
}

export const DEFAULT_LIMITS: Limits = {
  frameSize: FRAME_SIZE,
  callsPerFrame: CALLS_PER_FRAME,
  callsInFlight: CALLS_IN_FLIGHT,
  callsPerSecond: Infinity,
  refusals: 10_000,
  connections: Infinity,
  subscriptions: 32,
  liveCalls: 1_000,
  streams: 1_000,
  callbacks: 1_000,
  argumentStreams: 32,
  argumentCount: 32,
  valueDepth: 100,
  valueCount: 100_000,
};

/** What setTimeout can wait, 24 days in milliseconds; it takes a longer delay for none. */
export const MAX_DELAY = 2 ** 31 - 1;
