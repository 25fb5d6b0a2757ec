/**
 * The client's end of a port or a socket, past the client: sends frames as they are told, and gathers what comes
 * back. Runs in the Workers runtime.
 */
import type { CompiledContract, ServedPort, ServePortOptions } from '../../src/server.ts';
import { type AnswerMessage, decodeAnswer } from '../../src/wire/messages.ts';
import { hear } from './hear.ts';
import { openSocket } from './open-socket.ts';
import { openPort } from './raw-port.ts';

/** The ids that a test may use for calls of its own before each exchange. */
const FENCE = 1_000;

export class RawEnd {
  /** The frames that have arrived, all of them. */
  readonly frames: string[] = [];
  readonly #send: (frame: string) => void;
  readonly #fence: string;
  /** The code with which the connection has ended. */
  closed: number | undefined;
  #exchanges = 0;
  /** How many of the frames have been returned by `exchange`. */
  #seen = 0;
  #wake = (): void => {};

  /** @param fence - a method without arguments and effects */
  constructor(send: (frame: string) => void, fence: string) {
    this.#send = send;
    this.#fence = fence;
  }

  hear(frame: string): void {
    this.frames.push(frame);
    this.#wake();
  }

  /** Sends messages in one frame. */
  send(...messages: string[]): void {
    this.#send(`[${messages.join()}]`);
  }

  /**
   * Sends messages in one frame, and then a call: all messages that arrive before its answer, and after the last
   * exchange. Calls of the first exchange have ids below 1 000, of the second those from 1 001 on, and so forth.
   */
  async exchange(...messages: string[]): Promise<unknown[][]> {
    if (messages.length > 0) this.send(...messages);
    const fence = ++this.#exchanges * FENCE;
    this.send(`[${fence},"${this.#fence}"]`);
    const heard = await this.until(([id]) => id === fence);
    return heard.filter(([id]) => id !== fence);
  }

  /** All messages after the last exchange, once one of them is the one that is meant. */
  async until(isMeant: (message: unknown[]) => boolean): Promise<unknown[][]> {
    const heard: unknown[][] = [];
    for (;;) {
      for (; this.#seen < this.frames.length; this.#seen++) {
        heard.push(...(JSON.parse(this.frames[this.#seen] as string) as unknown[][]));
      }
      if (heard.some(isMeant)) return heard;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Serves an object over a port. `one` must be in its contract. */
export function overPort(
  instance: object,
  contract: CompiledContract,
  options?: ServePortOptions,
): { raw: RawEnd; served: ServedPort } {
  const { port, served } = openPort(instance, contract, options, (data) => {
    if (typeof data === 'string') raw.hear(data);
    else if (Array.isArray(data)) [raw.closed] = data as [number];
  });
  const raw = new RawEnd((frame) => port.postMessage(frame), 'one');
  return { raw, served };
}

export interface RawSocketEnd {
  raw: RawEnd;
  /** Closes the socket, and waits until the object has heard of it. */
  close(): Promise<void>;
}

/**
 * Opens a socket to an object.
 *
 * @param client - the id of the client; left out for one without an id
 * @param fence - a method without arguments and effects
 */
export async function overSocket(
  binding: string,
  instance: string,
  client?: string,
  fence = 'runs',
): Promise<RawSocketEnd> {
  const socket = await openSocket(binding, instance, client);
  const raw = new RawEnd((frame) => socket.send(frame), fence);
  hear(socket, (frame) => raw.hear(String(frame)));
  return {
    raw,
    async close() {
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
      socket.close(1000);
      await closed;
    },
  };
}

/** The messages of a kind. */
export function ofKind(messages: unknown[][], kind: string): unknown[][] {
  return messages.filter(([first]) => first === kind);
}

/** What a `complete` message says was thrown; `undefined` if the subscription ended well. */
export function thrownBy(complete: unknown[] | undefined): unknown {
  const [, , form, thrown] = complete ?? [];
  if (form !== 'error') return undefined;
  const answer = decodeAnswer([1, form, thrown] as AnswerMessage);
  return (answer as { thrown?: unknown }).thrown;
}
