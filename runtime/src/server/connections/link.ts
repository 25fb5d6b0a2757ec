/** The transport of one connection, as the connection sees it. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import type { Frame } from '../../wire/messages.ts';
import type { ClientMemory } from '../base/memory.ts';
import type { ConnectionIdentity } from './identity.ts';

/** The close code of an object whose code is replaced. The client connects again, and sends its calls again. */
export const SERVICE_RESTART = 1012;

/** The close code after which a client connects again, and sends its calls again. */
export const TRY_AGAIN_LATER = 1013;

/** The way back to the client: a socket, a port, or the response to a POST. */
export interface Link {
  /**
   * @param messages - what the frame contains
   * @param memory - the account of what waits to be sent
   */
  send(frame: Frame, messages: readonly EncodedMessage[], memory: ClientMemory): void;
  /** Whether the next message is a piece of a large frame. */
  readonly isExpecting?: boolean;
  /** The first piece of the frame that is arriving. */
  readonly arriving?: Frame | undefined;
  /**
   * Receives the mark of a piece, a piece, or the acknowledgement of one; left out where frames are whole.
   *
   * @returns the frame after its last piece
   * @throws RpcError `LIMIT_EXCEEDED` for a frame that is larger than the limit
   */
  receive?(message: Frame, limit: number, memory: ClientMemory): Frame | undefined;
  /** How much waits to be sent or acknowledged, in characters and bytes. */
  readonly unsent?: number;
  /** Called when some of it has been acknowledged. */
  onDrain?: (() => void) | undefined;
  /** Called before a connection is closed because its client does not go on with a large frame. */
  onStall?: (() => void) | undefined;
  /** Releases what the connection holds when it has ended. */
  end?(): void;
  /** Closes the connection; left out for a POST. */
  close?(code: number, reason: string): void;
  /** Whether a message that is sent now may still arrive. */
  readonly isOpen?: boolean;
  /** Stores the connection's state, for the time after hibernation; left out for a POST. */
  storeState?(known: Pick<ConnectionIdentity, 'readsBytes' | 'subscriptions'>): void;
}
