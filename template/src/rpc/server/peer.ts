/** The other end of a connection, as the object sees it. Imports wire/. */
import { DEFAULT_LIMITS } from '../wire/limits.ts';

/** Who the other end is. Kept with the socket, so that it outlives hibernation. */
export interface PeerIdentity {
  caller?: unknown;
  client?: string | undefined;
}

/** Told of the frames of a connection, for debug output. */
export interface PeerLog {
  /** From the client to the object. */
  up(frame: string): void;
  /** From the object to the client. */
  down(frame: string): void;
}

/** A socket, or one POST: what a frame came by and its answers go back to. */
export class Peer {
  /** Who the router's hook said it is. */
  readonly caller: unknown;
  /** The client's id, by which the journal knows it. */
  readonly client: string | undefined;
  /** Ids of the calls that are still running and somebody waits for. */
  readonly running = new Set<number>();
  /** Set by the first frame, if debug output is on. */
  log: PeerLog | undefined;
  /** Answers that have not been sent, as they will stand in a frame. */
  #text = '';
  /** The same, of frames that have no room left. */
  readonly #full: string[] = [];
  #holding = false;
  readonly #send: (frame: string) => void;
  readonly #frameSize: number;

  /** @param frameSize - from which on answers go into several frames */
  constructor(
    { caller, client }: PeerIdentity,
    send: (frame: string) => void,
    frameSize = DEFAULT_LIMITS.frameSize,
  ) {
    this.caller = caller;
    this.client = client;
    this.#send = send;
    this.#frameSize = frameSize;
  }

  /** Keeps answers back until `release`, so that those of one frame leave in one frame. */
  hold(): void {
    this.#holding = true;
  }

  /** Sends what has been kept back. */
  release(): void {
    this.#holding = false;
    for (const text of this.#full) this.#sendFrame(`[${text}]`);
    if (this.#text !== '') this.#sendFrame(`[${this.#text}]`);
    this.#full.length = 0;
    this.#text = '';
  }

  /** Sends an answer, together with others of the same tick. */
  answer(message: string): void {
    if (this.#text === '') {
      this.#text = message;
      // Not queueMicrotask, which costs several microseconds in the Workers runtime.
      if (!this.#holding) void Promise.resolve().then(() => this.release());
    } else if (this.#text.length + message.length < this.#frameSize) {
      this.#text += `,${message}`;
    } else {
      this.#full.push(this.#text);
      this.#text = message;
    }
  }

  #sendFrame(frame: string): void {
    this.log?.down(frame);
    this.#send(frame);
  }
}
