/**
 * The seam between calls and the network. A transport carries frames and knows nothing of what is
 * in them; the session knows nothing of how they travel. Imports errors only.
 */
import type { RpcError } from '../wire/errors.ts';

/** What a transport tells the session. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /** A frame has arrived. */
  received(frame: string): void;
  /** The connection is gone; what was sent and not answered may have run. */
  lost(error: RpcError): void;
}

export interface Transport {
  /** Begins to connect; `opened` or `lost` follows, at once or later. */
  connect(events: TransportEvents): void;
  /**
   * Sends a frame; called only between `opened` and `lost`.
   *
   * @returns for a transport on which each frame is answered by itself, such as HTTP, a promise
   *   that rejects when this one was not; otherwise nothing
   */
  send(frame: string): Promise<void> | void;
  /** Ends the connection; no event follows. */
  close(): void;
}
