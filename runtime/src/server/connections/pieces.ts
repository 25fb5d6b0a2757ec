/**
 * Large frames of one WebSocket at the object's end. It sends them in pieces, at the pace of the client, and joins the
 * pieces that arrive. A socket of the Workers runtime does not tell how much of the sent data has left, so the object
 * waits for acknowledgements.
 */
import type { ClientMemory } from '../base/memory.ts';
import { badMessage } from '../base/rejection.ts';
import { limitExceeded } from '../../wire/limits.ts';
import type { Frame } from '../../wire/messages.ts';
import { TRY_AGAIN_LATER } from './close-codes.ts';
import {
  ACK,
  frameLength,
  isControl,
  LAST,
  MAX_WHOLE_SIZE,
  MORE,
  PIECE_SIZE,
  piecesOf,
  wholeFrame,
} from '../../wire/pieces.ts';

/** The least number of pieces that are on their way, and the number at first. At 2 Mbit/s, they take a second. */
const LEAST = 2;
const MOST = 32;

/**
 * An acknowledgement within `FAST` milliseconds doubles the number of pieces that are on their way, up to `MOST`. An
 * acknowledgement after more than `SLOW` milliseconds resets it.
 */
const FAST = 100;
const SLOW = 500;

/** The time that the object waits for a piece or an acknowledgement, in milliseconds. It stays awake while it waits. */
const PATIENCE = 60_000;

/** The size that may be sent in whole frames before the client has to show that it reads, in characters and bytes. */
export const MAX_UNREAD = MAX_WHOLE_SIZE;

interface Socket {
  sendWhole(message: Frame): void;
  close(code: number, reason: string): void;
}

/** The connection whose frames are sent in pieces. */
export interface PiecesClient {
  /** The account of the pieces that wait to be sent or joined. */
  readonly memory: ClientMemory;
  /** Called before the socket of a client that makes no progress is closed. */
  stalled(): void;
  /** Called when a piece was acknowledged. */
  drained(): void;
}

/** A piece and its mark, which are sent together, so that no heartbeat comes between them. */
interface Parcel {
  readonly mark: string;
  readonly piece: Frame;
  readonly size: number;
  /** True if the frame contains only answers. Any frame may overtake answers. */
  readonly isAnswer: boolean;
}

/** A piece that the client has not acknowledged. */
interface SentPiece {
  /** The time of `Date.now()` when the piece was sent. */
  readonly at: number;
  readonly acknowledgement: string;
  readonly size: number;
  /** The size of all whole frames that had been sent before, in characters and bytes. */
  readonly whole: number;
}

export class Pieces {
  readonly #socket: Socket;
  readonly #client: PiecesClient;
  readonly #memory: ClientMemory;
  #queue: Parcel[] = [];
  #sent: SentPiece[] = [];
  #window = LEAST;
  /** The size of the pieces that wait or are not acknowledged. */
  unsent = 0;
  /** The size of all whole frames that were sent, and the part of it that the client has certainly read. */
  #whole = 0;
  #wholeRead = 0;
  /** The mark of the piece that comes next. */
  #mark: Frame | undefined;
  /** The pieces of the frame that is arriving, and their size in characters or bytes. */
  #parts: Frame[] = [];
  #arriving = 0;
  /** True if the rest of the frame that is arriving is dropped. */
  #isDropping = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: Socket, client: PiecesClient) {
    this.#socket = socket;
    this.#client = client;
    this.#memory = client.memory;
  }

  /** True if frames are being sent or joined. */
  get isBusy(): boolean {
    const isSending = this.#queue.length > 0 || this.#sent.length > 0;
    return isSending || this.#mark !== undefined || this.#arriving > 0;
  }

  /**
   * Sends a frame. Answers of calls may overtake other messages, and be overtaken. All other messages stay in their
   * order.
   *
   * @param isAnswer - whether the frame contains only answers of calls
   */
  send(frame: Frame, isAnswer: boolean): void {
    const size = frameLength(frame);
    const mayOvertake = isAnswer || this.#queue.every((parcel) => parcel.isAnswer);
    const isUnread = this.#whole - this.#wholeRead + size > MAX_UNREAD;
    if (size <= MAX_WHOLE_SIZE && mayOvertake && !isUnread) {
      this.#whole += size;
      return this.#socket.sendWhole(frame);
    }
    // The socket does not tell how much of the sent data has left. Pieces are acknowledged, so even a small frame is
    // sent as a piece from time to time.
    const messages = size <= MAX_WHOLE_SIZE ? [LAST, frame] : piecesOf(frame);
    while (messages.length > 0) {
      const [mark, piece] = messages.splice(0, 2) as [string, Frame];
      this.#queue.push({ mark, piece, size: frameLength(piece), isAnswer });
    }
    this.unsent += size;
    this.#memory.add(size);
    this.#sendQueued();
    this.#watch();
  }

  /** Returns the first piece of the frame that is arriving. */
  get arriving(): Frame | undefined {
    return this.#parts[0];
  }

  /** True if the next message is a piece of a frame. */
  get isExpecting(): boolean {
    return this.#mark !== undefined;
  }

  /**
   * Receives the mark of a piece, a piece that `isExpecting`, or an acknowledgement.
   *
   * @param limit - the largest size of a frame, in characters; a byte counts as a third of a character
   * @returns the frame when its last piece has arrived; otherwise `undefined`
   * @throws RpcError for a piece of a frame that is too large or malformed, and for an acknowledgement of nothing. The
   *   rest of that frame is dropped.
   */
  receive(message: Frame, limit: number): Frame | undefined {
    const mark = this.#mark;
    this.#mark = undefined;
    try {
      if (mark !== undefined) return this.#receivePiece(message, mark === LAST, limit);
      if (message === MORE || message === LAST) this.#mark = message;
      else if (!isControl(message)) return message;
      else this.#acknowledged(message);
      return undefined;
    } finally {
      this.#watch();
    }
  }

  #receivePiece(piece: Frame, isLast: boolean, limit: number): Frame | undefined {
    this.#socket.sendWhole(ACK);
    try {
      if (this.#isDropping) checkProgress(piece, isLast);
      else this.#take(piece, isLast, limit);
      return isLast && !this.#isDropping ? joined(this.#parts) : undefined;
    } catch (error) {
      this.#forgetArriving();
      this.#isDropping = !isLast;
      throw error;
    } finally {
      if (isLast) this.#forgetArriving();
    }
  }

  /** @throws RpcError for a piece that cannot be kept */
  #take(piece: Frame, isLast: boolean, limit: number): void {
    const size = frameLength(piece);
    const total = this.#arriving + size;
    if (typeof piece !== typeof (this.#parts[0] ?? piece)) {
      badMessage('The pieces of a frame must be all text or all bytes');
    }
    checkProgress(piece, isLast);
    if ((typeof piece === 'string' ? total : total / 3) > limit) limitExceeded('frameSize', limit);
    this.#memory.admit(size);
    this.#arriving = total;
    this.#parts.push(piece);
  }

  #forgetArriving(): void {
    this.#memory.release(this.#arriving);
    this.#arriving = 0;
    this.#parts = [];
    this.#isDropping = false;
  }

  /** Drops all pieces, because the connection has ended. */
  end(): void {
    const queued = this.unsent;
    this.unsent = 0;
    this.#queue = [];
    this.#sent = [];
    this.#mark = undefined;
    this.#memory.release(queued);
    this.#forgetArriving();
    this.#watch();
  }

  /** @throws RpcError for a message that does not acknowledge the first of the pieces that were sent */
  #acknowledged(message: string): void {
    const piece = this.#sent[0];
    if (message !== piece?.acknowledgement) {
      badMessage('An acknowledgement must repeat the characters of the mark');
    }
    this.#sent.shift();
    this.#memory.release(piece.size);
    this.unsent -= piece.size;
    this.#wholeRead = piece.whole;
    const took = Date.now() - piece.at;
    if (took < FAST) this.#window = Math.min(2 * this.#window, MOST);
    else if (took > SLOW) this.#window = LEAST;
    this.#sendQueued();
    this.#client.drained();
  }

  #sendQueued(): void {
    while (this.#sent.length < this.#window) {
      const next = this.#queue.shift();
      if (!next) break;
      const { mark, piece, size } = next;
      // A client that has not read the piece cannot acknowledge it.
      const token = crypto.randomUUID().slice(0, 8);
      const acknowledgement = ACK + token;
      this.#sent.push({ at: Date.now(), acknowledgement, size, whole: this.#whole });
      this.#socket.sendWhole(mark + token);
      this.#socket.sendWhole(piece);
    }
  }

  /** Keeps the object awake while frames are sent or joined, and closes a client that makes no progress. */
  #watch(): void {
    clearTimeout(this.#timer as never);
    if (!this.isBusy) return;
    this.#timer = setTimeout(() => {
      this.end();
      this.#client.stalled();
      this.#socket.close(TRY_AGAIN_LATER, `No progress on a large frame for ${PATIENCE} ms`);
    }, PATIENCE);
  }
}

/**
 * Checks that a piece is large enough. A client that sends small pieces would keep the object awake for a long time.
 *
 * @throws RpcError for a piece that is too small
 */
function checkProgress(piece: Frame, isLast: boolean): void {
  if (isLast || frameLength(piece) >= PIECE_SIZE) return;
  badMessage(`Only the last piece may be smaller than ${PIECE_SIZE}`);
}

/** Returns the frame that the pieces make up. The pieces are all text or all bytes. */
function joined(pieces: readonly Frame[]): Frame {
  return typeof pieces[0] === 'string' ? pieces.join('') : wholeFrame(pieces);
}
