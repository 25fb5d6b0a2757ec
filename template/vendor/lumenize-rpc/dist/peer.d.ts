import { Encode, Frame, ReferenceOf, Said } from "./bytes.js";
/**
 * Limits for what a client can send. A call beyond a limit rejects with `LIMIT_EXCEEDED` and does not run.
 * Each description includes when the limit is checked.
 */
export interface Limits {
  /**
   * Characters of text in one frame, and bytes beside them. Checked before the frame is parsed; of a POST,
   * while its body is read. Default 4 194 304 (4 MiB of ASCII).
   */
  frameSize: number;
  /**
   * Calls in one frame. Other messages count like calls, except up to four at the beginning of the frame.
   * Checked before the first call runs. Default 5 000.
   */
  callsPerFrame: number;
  /**
   * Calls of one connection that are running, including aborted ones. Checked before each call. Default
   * 10 000.
   */
  callsInFlight: number;
  /**
   * Bytes of memory of the calls and subscriptions of one connection that run, or that wait for other calls: the
   * characters and bytes of their messages, and 24 for each value in them. Checked before each call, and with its
   * own size for one that waits. Default 16 777 216 (16 MiB).
   */
  inFlightSize: number;
  /**
   * Calls of one connection in a second. As many can come at once. Checked before each call. A call that has
   * begun and is sent again after a lost connection is answered all the same. Each POST is a connection of
   * its own. Default no limit.
   */
  callsPerSecond: number;
  /**
   * Rejected messages of one client: unknown methods, wrong arguments, other limits. Each call that runs
   * subtracts one, and an unreadable frame adds ten. Checked before each message; beyond the limit, the rest of
   * the frame is rejected, the connection is closed with 4429, and the client's requests get status 429 until it has
   * had none rejected for a minute. A client is known by its owner, else by its id. When clients without an
   * owner exceed the limit together in a minute, each of them may have 100. From 100 on, a client's frames wait
   * until frames of others have been handled. Default 10 000.
   */
  refusals: number;
  /**
   * WebSockets of one object at a time. Checked at each upgrade; beyond the limit, the answer has status 503.
   * A client that connects again replaces its own. Default no limit.
   */
  connections: number;
  /** Subscriptions of one connection at a time. Checked at each subscription. Default 32. */
  subscriptions: number;
  /**
   * Different calls of `live` methods that an object keeps current at a time. Equal calls count once. Checked
   * at each subscription; beyond the limit, a call that only the client with the most calls follows ends with
   * `LIMIT_EXCEEDED`, unless the new one's client would then have as many. Default 1 000.
   */
  liveCalls: number;
  /**
   * Streams in the memory of one object at a time, of methods without `cursor`. Together they hold at most
   * about 32 MiB. Checked at each stream; beyond the limit, the oldest stream that the same client has left ends, or
   * one of the client with the most, or the oldest that anyone has left. Default 1 000.
   */
  streams: number;
  /**
   * Calls of one connection's callbacks that wait for answers. Checked at each call; beyond the limit, its
   * promise rejects. Default 1 000.
   */
  callbacks: number;
  /**
   * Streams among the arguments of the running calls of one connection. Each holds up to 2 MiB that its
   * method has not read. Checked at each stream. Default 32.
   */
  argumentStreams: number;
  /**
   * Characters and bytes that all argument streams of one object hold. In memory they take up to three times as much.
   * Checked at each item; beyond the limit, its stream ends. Default 16 777 216 (16 MiB).
   */
  argumentStreamsSize: number;
  /** Arguments of one call. Checked when they are decoded. Default 32. */
  argumentCount: number;
  /**
   * Nesting depth of objects in the arguments of one call. Checked when they are decoded, before they are
   * validated. Default 100.
   */
  valueDepth: number;
  /**
   * Objects, primitives and array holes in the arguments of one call. Checked when they are decoded, before
   * they are validated. Default 100 000.
   */
  valueCount: number;
}
/** Receives the frames of a connection. */
export interface PeerLog {
  /** From the client to the object. */
  up(frame: Frame): void;
  /** From the object to the client. */
  down(frame: Frame): void;
}
/** A client's subscription; `record` is the form that can be stored. */
interface Subscribed {
  readonly record: readonly unknown[];
}
/** Identity of the other end. Stored with the socket, so that it survives hibernation. */
interface PeerIdentity {
  /** The caller that a hook of the router has named. */
  caller?: unknown;
  /** The caller's identity as text. */
  owner?: string | undefined;
  /** The client's id, which is its key in the journal. */
  client?: string | undefined;
  /** Whether the client reads binary frames. */
  readsBytes?: boolean;
  /** Records of the client's subscriptions. */
  subscriptions?: readonly Subscribed['record'][];
}
interface RunningCall {
  readonly answer: Promise<Said>;
  /** Whether the client still waits for the answer. */
  isAwaited: boolean;
}
/** The way back to the client: a socket, a port, or the response to a POST. */
interface Link {
  /** @param messages - what the frame contains */
  send(frame: Frame, messages: readonly Said[]): void;
  /** Whether the next message is a piece of a large frame. */
  readonly isExpecting?: boolean;
  /**
   * Receives the mark of a piece, a piece, or the acknowledgement of one; left out where frames are whole.
   *
   * @returns the frame after its last piece
   * @throws RpcError `LIMIT_EXCEEDED` for a frame that is larger than the limit
   */
  receive?(message: Frame, limit: number): Frame | undefined;
  /** Releases what the connection holds when it has ended. */
  end?(): void;
  /** Closes the connection; left out for a POST. */
  close?(code: number, reason: string): void;
  /** Whether a message that is sent now may still arrive. */
  readonly isOpen?: boolean;
  /** Stores the connection's state, for the time after hibernation; left out for a POST. */
  keep?(known: Pick<PeerIdentity, 'readsBytes' | 'subscriptions'>): void;
}
/** The other end of a socket, a port or one POST. */
export declare class Peer {
  #private;
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  /** Running calls by id. */
  readonly running: Map<number, RunningCall>;
  /** About how many bytes of memory the calls and subscriptions take that run or wait: see `limits.inFlightSize`. */
  inFlightSize: number;
  /** Records of the subscriptions from before hibernation, until newer records are stored. */
  kept: readonly Subscribed['record'][];
  /** Subscriptions by the client's numbers. */
  readonly subscriptions: Map<number, Subscribed>;
  limits: Limits;
  /** Whether the client reads binary frames. */
  readsBytes: boolean;
  constructor({ caller, owner, client, readsBytes, subscriptions }: PeerIdentity, link: Link);
  /** Whether the connection has ended. Frames that wait or still arrive are then ignored. */
  get isClosed(): boolean;
  /** Sets what the client calls, before each frame: a class can pass another contract. */
  serve(instance: object, limits: Limits): void;
  /** Marks the connection as closed by the client. */
  leave(): void;
  /** Closes the connection. */
  close(code: number, reason: string): void;
  /** Joins the pieces of large frames. Returns `undefined` for a piece that is not the last. */
  joined(message: Frame): Frame | undefined;
  /** The log of the connection, created at the first call. */
  logWith(make: (peer: Peer, instance: object) => PeerLog, instance: object): PeerLog;
  /**
   * Handles a frame at once. If many messages of the client were rejected, frames of other connections go
   * first. While one socket always has a next frame ready, the Workers runtime reads no other socket. It does
   * so before a timer fires.
   *
   * @returns a promise of the end, or `undefined` if the frame was handled at once
   */
  inTurn(run: () => void): Promise<void> | undefined;
  /** Holds answers back until `release`, so that the answers to one frame share a frame. */
  hold(): void;
  /** Sends the answers that were held back. */
  release(): void;
  /**
   * Replaces answers that are held back.
   *
   * @param replacement - returns another answer of the call with that id, if there is one
   */
  replaceHeld(replacement: (id: number) => string | undefined): void;
  /** Sends an answer, in one frame with others of the same tick. */
  answer(message: Said): void;
  /** Sends a message that is not an answer: at once, or after the answers that are held back. */
  push(message: Said): void;
  /** Records that the client reads binary frames. */
  readBytes(): void;
  /** Encodes a message. Bytes follow its text if the client reads binary frames. */
  write(encode: Encode, referenceOf?: ReferenceOf): Said;
  /** Whether it is a connection, which can carry more than answers. A POST cannot. */
  get isConnection(): boolean;
  /** Whether it is a connection, and a message that is sent now may still arrive. */
  get isOpen(): boolean;
  /** Stores the subscriptions with the connection, for the time after hibernation. */
  keepSubscriptions(): void;
  /** Rejects a frame, or the rest of a frame. */
  refuseFrame(error: unknown): void;
  /** Counts messages that were rejected, such as a call whose method did not run. */
  countRefusal(count?: number): void;
  /** Whether more messages were rejected than `limits.refusals` allows. */
  get isExhausted(): boolean;
  /** Counts a call whose method runs. */
  countCall(): void;
  /** @throws RpcError `LIMIT_EXCEEDED` if `limits.inFlightSize` does not allow so many more bytes */
  admitInFlight(weight: number): void;
  /** Whether `limits.callsPerSecond` allows one more call now. */
  mayCall(): boolean;
}
export {};