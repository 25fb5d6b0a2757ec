/** The transport of one connection, as the connection sees it. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import type { Frame } from '../../wire/messages.ts';
import type { ConnectionIdentity } from './identity.ts';
import type { Pieces, PiecesClient } from './pieces.ts';

/** Sends frames to the client: over a socket, over a port, or in the response to a POST. */
export interface Link {
  /**
   * @param messages - the messages that the frame contains
   * @param client - the connection
   */
  send(frame: Frame, messages: readonly EncodedMessage[], client: PiecesClient): void;
  /** The pieces of large frames; `undefined` before the first large frame. */
  readonly pieces?: Pieces | undefined;
  /** Returns `pieces`, and makes them if they are `undefined`. It is left out where frames are always sent whole. */
  makePieces?(client: PiecesClient): Pieces;
  /** Closes the connection; left out for a POST. */
  close?(code: number, reason: string): void;
  /** True if a message that is sent now may still arrive. */
  readonly isOpen?: boolean;
  /** Stores the connection's state, for the time after hibernation; left out for a POST. */
  storeState?(known: Pick<ConnectionIdentity, 'readsBytes' | 'subscriptions'>): void;
}
