/**
 * Large frames of one WebSocket at the object's end: sends them in pieces, at the pace of the client, and joins those
 * that arrive. A socket of the Workers runtime does not tell how much of what was sent has left, so the object waits
 * for acknowledgements.
 */
import { RpcError } from '../../wire/errors.ts';
import type { Frame } from '../../wire/messages.ts';
import { ACK, pieceJoiner, LAST, MORE, piecesOf, wholeFrame } from '../../wire/pieces.ts';

/** How many pieces are on their way at first, and at least. At 2 Mbit/s, these take a second. */
const LEAST = 2;
const MOST = 32;

/**
 * An acknowledgement within `FAST` milliseconds doubles that number, up to `MOST`; one after more than `SLOW` resets
 * it.
 */
const FAST = 100;
const SLOW = 500;

/** How long the object waits for the next piece, or an acknowledgement, in milliseconds. It stays awake meanwhile. */
const PATIENCE = 60_000;

/** The close code "try again later". The client connects again, and sends its calls again. */
const AGAIN = 1013;

interface Socket {
  send(message: Frame): void;
  close(code: number, reason: string): void;
}

export class Pieces {
  readonly #socket: Socket;
  /** What waits to be sent: a frame, or a piece with its mark. Any frame may overtake one with `isAnswer`. */
  readonly #queue: { messages: Frame[]; isAnswer: boolean }[] = [];
  /** When each piece was sent that is not acknowledged, in the time of `Date.now()`. */
  readonly #sentAt: number[] = [];
  #window = LEAST;
  #isExpecting = false;
  readonly #join: ReturnType<typeof pieceJoiner>;
  /** The size of the frame that is arriving; `undefined` if there is none. */
  #arriving: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#join = pieceJoiner(() => socket.send(ACK));
  }

  /** Whether frames are being sent or joined. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#sentAt.length > 0 || this.#arriving !== undefined;
  }

  /**
   * Sends a frame. Answers of calls may overtake others; all other messages stay in their order.
   *
   * @param isAnswer - whether the frame contains only answers of calls
   */
  send(frame: Frame, isAnswer: boolean): void {
    const messages = piecesOf(frame);
    const isWhole = messages.length === 1;
    if (isWhole && (isAnswer || this.#queue.every((one) => one.isAnswer))) {
      return this.#socket.send(frame);
    }
    // A mark and its piece are sent together, so that no heartbeat comes between them.
    while (messages.length > 0) this.#queue.push({ messages: messages.splice(0, 2), isAnswer });
    this.#go();
  }

  /** Whether the next message is a part of a frame. */
  get isExpecting(): boolean {
    return this.#isExpecting;
  }

  /**
   * Receives the mark of a piece, a piece that `isExpecting`, or an acknowledgement.
   *
   * @param limit - for the size of a frame, in characters; a byte is a third
   * @returns the whole frame after its last piece; otherwise `undefined`
   * @throws RpcError `LIMIT_EXCEEDED` after the last piece of a frame that is too large
   */
  receive(message: Frame, limit: number): Frame | undefined {
    if (message === ACK) {
      this.#acknowledged();
      return undefined;
    }
    this.#isExpecting = message === MORE || message === LAST;
    this.#arriving ??= 0;
    if (this.#isExpecting) return this.#join(message) as undefined;
    const size = typeof message === 'string' ? message.length : message.byteLength / 3;
    const total = (this.#arriving += size);
    // The rest of a frame that is too large is dropped.
    const arrived = this.#join(total > limit ? message.slice(0, 0) : message);
    if (arrived !== undefined) this.#arriving = undefined;
    this.#watch();
    if (arrived === undefined) return undefined;
    if (total > limit) throw new RpcError('LIMIT_EXCEEDED', `frameSize is at most ${limit}`);
    return wholeFrame(arrived);
  }

  /** Ends when the connection has ended. */
  end(): void {
    this.#queue.length = this.#sentAt.length = 0;
    this.#arriving = undefined;
    this.#watch();
  }

  #acknowledged(): void {
    const sentAt = this.#sentAt.shift();
    if (sentAt === undefined) return;
    const took = Date.now() - sentAt;
    if (took < FAST) this.#window = Math.min(2 * this.#window, MOST);
    else if (took > SLOW) this.#window = LEAST;
    this.#go();
  }

  #go(): void {
    while (this.#sentAt.length < this.#window) {
      const next = this.#queue.shift();
      if (!next) break;
      if (next.messages.length > 1) this.#sentAt.push(Date.now());
      for (const message of next.messages) this.#socket.send(message);
    }
    this.#watch();
  }

  /** Keeps the object awake while it is busy, and gives up a client that does not go on. */
  #watch(): void {
    clearTimeout(this.#timer as never);
    if (!this.isBusy) return;
    this.#timer = setTimeout(() => {
      this.end();
      this.#socket.close(AGAIN, `A large frame did not go on for ${PATIENCE} ms`);
    }, PATIENCE);
  }
}
