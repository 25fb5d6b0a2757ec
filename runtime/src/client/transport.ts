/**
 * The interface between calls and the network. A transport sends and receives frames without reading them. The session
 * does not depend on the way they are sent.
 */
import type { RpcError } from '../wire/errors.ts';
import type { Frame } from '../wire/messages.ts';
import type { ReceivedFrame } from '../wire/pieces.ts';

/** The functions by which a transport reports to the session, and asks it. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /**
   * A frame has arrived: whole, or as the parts of a binary frame.
   *
   * @returns false if it is not a frame of this protocol, and was ignored
   */
  received(frame: ReceivedFrame): boolean | void;
  /**
   * The connection was lost, or could not be opened. Calls that were sent and not answered may have run.
   *
   * @param isRefusal - whether the server has rejected the client, so that another attempt is likely to fail
   * @param unread - a frame that the server has rejected before any of its calls ran. None of its calls was sent before
   *   if the frame begins with a call.
   */
  lost(error: RpcError, isRefusal?: boolean, unread?: Frame | false): void;
  /** Returns whether the session waits for messages, so that a lost connection has to be detected soon. */
  isAwaiting(): boolean;
}

/** A way to send frames to one object and to receive its frames. */
export interface Transport {
  /**
   * Starts to connect. `opened` or `lost` follows, at once or later. Called again after `lost` or `close`.
   */
  connect(events: TransportEvents): void;
  /** Sends a frame. Called only between `opened` and `lost`. */
  send(frame: Frame): void;
  /** Ends the connection. No event follows. */
  close(): void;
  /**
   * The destination, for errors and the console: a URL, or a description. A capability is sent only to the address of
   * the object that returned it, so clients of different objects need different addresses.
   */
  readonly address: string;
  /**
   * The time of `Date.now()` when an earlier client with this id may first have sent these calls.
   * Default: there was no earlier client.
   */
  readonly since?: number | undefined;
  /** Returns the client's id, for reports of calls. Default: the id is unknown. */
  readonly clientId?: (() => string) | undefined;
  /** True if both ends can send frames at any time, and frames arrive in order. */
  readonly isDuplex?: boolean | undefined;
  /** Returns whether too much data waits to be sent. Called before each frame. */
  isCongested?(): boolean;
}
