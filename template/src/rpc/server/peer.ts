/** The other end of a connection, as the object sees it. Imports wire/. */
import { DEFAULT_LIMITS } from '../wire/limits.ts';

/** Who the other end is. Kept with the socket, so that it outlives hibernation. */
export interface PeerIdentity {
  caller?: unknown;
  client?: string | undefined;
}

/** A socket, or one POST: what a frame came by and its answers go back to. */
export class Peer {
  /** Who the router's hook said it is. */
  readonly caller: unknown;
  /** The client's id, by which the journal knows it. */
  readonly client: string | undefined;
  /** Ids of the calls that are still running and somebody waits for. */
  readonly running = new Set<number>();
  #answers: string[] = [];
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
    if (this.#answers.length > 0) this.#flush();
  }

  /** Sends an answer, together with others of the same tick. */
  answer(message: string): void {
    const isFirst = this.#answers.push(message) === 1;
    // Not queueMicrotask, which costs several microseconds in the Workers runtime.
    if (isFirst && !this.#holding) void Promise.resolve().then(() => this.release());
  }

  #flush(): void {
    const answers = this.#answers;
    this.#answers = [];
    for (const frame of encodeFrames(answers, this.#frameSize)) this.#send(frame);
  }
}

/** Joins the texts of messages into the texts of frames: one, unless it would be too large. */
function encodeFrames(messages: readonly string[], maxSize: number): string[] {
  const frames: string[] = [];
  let text = '';
  for (const message of messages) {
    if (text !== '' && text.length + message.length >= maxSize) {
      frames.push(`[${text}]`);
      text = '';
    }
    text += text === '' ? message : `,${message}`;
  }
  frames.push(`[${text}]`);
  return frames;
}
