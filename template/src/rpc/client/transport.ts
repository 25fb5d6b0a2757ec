/**
 * The seam between calls and the network. A transport carries frames and knows nothing of what is
 * in them; the session knows nothing of how they travel. Imports errors and messages.
 */
import type { RpcError } from '../wire/errors.ts';
import type { Frame } from '../wire/messages.ts';

/** What a transport tells the session, and may ask it. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /** A frame has arrived. */
  received(frame: Frame): void;
  /**
   * The connection is gone, or could not be made; what was sent and not answered may have run.
   *
   * @param isRefusal - the server said no, so that trying again is likely to change nothing
   */
  lost(error: RpcError, isRefusal?: boolean): void;
  /** Whether anything is to come, so that it matters soon whether the other end is there. */
  isAwaiting(): boolean;
}

export interface Transport {
  /**
   * Begins to connect; `opened` or `lost` follows, at once or later. Called again after `lost` or
   * `close`.
   */
  connect(events: TransportEvents): void;
  /** Sends a frame; called only between `opened` and `lost`. */
  send(frame: Frame): void;
  /** Ends the connection; no event follows. */
  close(): void;
  /** Where frames go, for errors and the console: a URL, or a word for what has none. */
  readonly address: string;
  /**
   * From when on calls may have been sent by an earlier life of this client, which had the same id, on the
   * clock of `Date.now()`. Default: there was none.
   */
  readonly since?: number | undefined;
  /** Whether a frame needs no answer, so that it is worth while to cancel a call. */
  readonly isDuplex?: boolean;
  /** Whether more is waiting to be sent than should be; asked before each frame. */
  isCongested?(): boolean;
}
