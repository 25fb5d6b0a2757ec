/** The limits of an object: for the messages that a client can send, and for the resources that a client can use. */
import { CALLS_IN_FLIGHT, CALLS_PER_FRAME, FRAME_SIZE } from '../../wire/limits.ts';

/** A call beyond a limit rejects with `LIMIT_EXCEEDED` and does not run, unless the limit's description says otherwise. */
export interface Limits {
  /**
   * Size of one frame: its characters of text, plus the bytes that a binary frame carries beside the text. Checked
   * before the frame is parsed. The body of a POST is checked while it is read. Default 4 194 304 (4 MiB).
   */
  frameSize: number;
  /**
   * Calls and other messages in one frame. Up to five messages at the beginning of the frame that are not calls do not
   * count. Checked before the first call runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, including aborted calls whose method has not ended. Checked before each
   * call. Default 10 000.
   */
  callsInFlight: number;
  /**
   * Bytes that the object holds for one client: frames and bodies that arrive, arguments of calls that run or wait,
   * items of streams, and messages that are sent and not acknowledged. Each parsed value counts its characters and 24
   * bytes. Beyond the limit, further calls of the client are rejected before they run, and a frame or body that arrives
   * is dropped. If the client of a connection does not read its answers, the rest of its frame waits instead. A single
   * result may be larger than the limit. Default 8 388 608 (8 MiB).
   */
  memoryPerClient: number;
  /**
   * Bytes that the object holds for all clients together. Beyond the limit, the connection of the client that holds most
   * is closed with the code 1013, after which the client connects again. A POST is answered with status 503. Default
   * 16 777 216 (16 MiB).
   */
  memoryPerObject: number;
  /**
   * Calls of one connection in a second. A client may send all calls of a second at once. Each POST counts as a
   * connection of its own. Checked before each call, but not for a call that has begun and is sent again after a lost
   * connection. Default no limit.
   */
  callsPerSecond: number;
  /**
   * Rejected messages of one client, such as calls with wrong arguments. A client is known by its owner and its id.
   * Beyond the limit, its connection is closed with the code 4429, and its requests are answered with status 429, until
   * none of its messages has been rejected for a minute. Checked before each message; beyond the limit, the rest of the
   * frame is rejected, too.
   *
   * - Each rejected message adds one, and an unreadable frame adds ten. Each call that runs subtracts one.
   * - If the clients of one owner, or all clients without an owner, together exceed the limit within a minute, each of
   *   them is allowed only 100. Beyond twice the limit, each client is allowed even fewer, but at least ten.
   * - The frames of a client with 100 or more rejected messages wait until frames of other clients have been handled.
   *
   * Default 10 000.
   */
  refusals: number;
  /**
   * WebSockets of one object at a time. Beyond the limit, an upgrade is answered with status 503. A client that
   * connects again replaces its own connection, which does not count. Checked at each upgrade. Default no limit.
   */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each subscription. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that an object keeps current at a time. Equal calls count once. To make room, the
   * client with the most live calls loses a live call that no other client follows: its subscription ends with
   * `LIMIT_EXCEEDED`. If the new client would then have as many live calls, its own subscription is rejected instead.
   * Checked at each subscription. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time. Subscriptions to `rows` do not count. Beyond the limit, a stream
   * ends whose client has left it: first the oldest stream of the client that begins a stream, then a stream of the
   * client with the most streams, then the oldest stream of all. Checked at each stream. Default 1 000.
   */
  streams: number;
  /**
   * Calls of one connection's callbacks that wait for answers. Beyond the limit, the promise that the callback returns
   * rejects. Checked at each call. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams among the arguments of the running calls of one connection. Each holds up to 2 MiB that its method has
   * not read. Checked at each stream. Default 32.
   */
  argumentStreams: number;
  /** Number of arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Nesting depth of objects in the arguments of one call. Checked when they are decoded, before they are
   * validated. Default 100.
   */
  valueDepth: number;
  /**
   * Objects, primitives and array holes in the arguments of one call, of which at most 2 000 may be holes. Checked when
   * the arguments are decoded, before they are validated. Default 100 000.
   */
  valueCount: number;
}

export const DEFAULT_LIMITS: Limits = {
  frameSize: FRAME_SIZE,
  callsPerFrame: CALLS_PER_FRAME,
  callsInFlight: CALLS_IN_FLIGHT,
  memoryPerClient: 8_388_608,
  memoryPerObject: 16_777_216,
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

/**
 * Returns the default limits with some of them replaced. A limit that is `undefined` keeps its default.
 *
 * @throws TypeError for a value that would limit nothing, such as `NaN`
 */
export function limitsWith(replaced: Partial<Limits> = {}): Limits {
  const limits = withDefaults(DEFAULT_LIMITS, replaced);
  for (const [name, limit] of Object.entries(limits)) {
    // The condition has this form because every comparison with `NaN` is false.
    if (!(limit >= 0)) throw new TypeError(`limits.${name} must be a number of at least 0`);
  }
  return limits;
}

/** Returns the defaults with some of them replaced. A property that is `undefined` keeps its default. */
export function withDefaults<All extends object>(defaults: All, replaced: Partial<All>): All {
  const given = Object.entries(replaced).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
