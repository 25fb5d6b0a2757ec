/** Limits for what a client can send to an object. */
import { CALLS_IN_FLIGHT, CALLS_PER_FRAME, FRAME_SIZE } from '../../wire/limits.ts';

/** A call beyond a limit rejects with `LIMIT_EXCEEDED` and does not run, unless the limit says something else. */
export interface Limits {
  /**
   * Characters of text in one frame, and bytes beside them. Checked before the frame is parsed; of a POST,
   * while its body is read. Default 4 194 304 (4 MiB).
   */
  frameSize: number;
  /**
   * Calls and other messages in one frame. Up to four others at the beginning of the frame do not count. Checked
   * before the first call runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, including aborted ones. Checked before each call. Default
   * 10 000.
   */
  callsInFlight: number;
  /**
   * Bytes that the object holds for one client: frames and bodies that arrive, arguments of calls that run or wait,
   * items of streams, and what is sent and not acknowledged. A parsed value counts 24 bytes beside its characters.
   * Beyond it, further calls of the client are rejected before they run, and a frame or body that arrives is dropped.
   * Over a connection, the rest of a frame waits instead if the answers before it are not read. A single result may be
   * larger. Default 8 388 608 (8 MiB).
   */
  memoryPerClient: number;
  /**
   * Bytes that the object holds for all clients together. Beyond it, the client that holds most is closed with 1013,
   * after which it connects again; a POST gets status 503. Default 16 777 216 (16 MiB).
   */
  memoryPerObject: number;
  /**
   * Calls of one connection in a second; each POST is a connection of its own. As many can come at once. Checked
   * before each call. A call that has begun and is sent again after a lost connection is answered all the same.
   * Default no limit.
   */
  callsPerSecond: number;
  /**
   * Rejected messages of one client, such as wrong arguments; beyond the limit, its connection is closed with 4429,
   * and its requests get status 429 until it has had none rejected for a minute. Each call that runs subtracts one, an
   * unreadable frame adds ten, and a message that becomes no frame adds one. Checked before each message; the rest of
   * the frame is rejected, too. A client is known by its owner and its id. When the clients of one owner, or those
   * without an owner, exceed the limit together in a minute, each of them may have 100; beyond twice the
   * limit fewer and fewer, but always ten. From 100 on, a client's frames wait until frames of others have been
   * handled. Default 10 000.
   */
  refusals: number;
  /**
   * WebSockets of one object at a time; beyond the limit, an upgrade is answered with status 503. A client that
   * connects again replaces its own. Checked at each upgrade. Default no limit.
   */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each subscription. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that an object keeps current at a time; beyond the limit, one of the client
   * with the most ends. It ends with `LIMIT_EXCEEDED`, if no other client follows it, and unless the new one's client
   * would then have as many. Equal calls count once. Checked at each subscription. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time; beyond the limit, one that its client has left ends. It is the
   * oldest of the same client, or one of the client with the most, or the oldest of all. Rows are no streams here.
   * Checked at each stream. Default 1 000.
   */
  streams: number;
  /**
   * Calls of one connection's callbacks that wait for answers; beyond the limit, the callback's promise rejects.
   * Checked at each call. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams among the arguments of the running calls of one connection. Each holds up to 2 MiB that its method has
   * not read. Checked at each stream. Default 32.
   */
  argumentStreams: number;
  /** Arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Nesting depth of objects in the arguments of one call. Checked when they are decoded, before they are
   * validated. Default 100.
   */
  valueDepth: number;
  /**
   * Objects, primitives and array holes in the arguments of one call; of the holes, there may be 2 000. Checked when
   * they are decoded, before they are validated. Default 100 000.
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
 * The default limits with some replaced. A limit that is `undefined` keeps its default.
 *
 * @throws TypeError for a value that would limit nothing, such as `NaN`
 */
export function limitsWith(replaced: Partial<Limits> = {}): Limits {
  const limits = withDefaults(DEFAULT_LIMITS, replaced);
  if (!Object.values(limits).every((limit) => limit >= 0)) throw new TypeError('Not a limit');
  return limits;
}

/** The defaults with some replaced. What is `undefined` keeps its default. */
export function withDefaults<All extends object>(defaults: All, replaced: Partial<All>): All {
  const given = Object.entries(replaced).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
