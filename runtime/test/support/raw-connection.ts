/**
 * A connection to an object without a client: a test sends frames unchanged, and reads the frames
 * that come back. It uses a socket, a port or POSTs, and runs in Node, in the Workers runtime and
 * in a page.
 */
import type { Frame } from '../../src/wire/messages.ts';
import { ACK, pieceJoiner, wholeFrame } from '../../src/wire/pieces.ts';
import { listenTo, type PortLike } from '../../src/wire/ports.ts';

/** The part of a socket that this module needs, in any runtime. */
interface Socket {
  binaryType?: string;
  readonly readyState?: number;
  addEventListener(type: string, listener: (event: never) => void): void;
  send(frame: Frame): void;
  close(code?: number): void;
}

const OPEN = 1;

/**
 * The distance between the ids of calls that `exchange` makes. The ids between them are for the
 * calls of a test.
 */
const EXCHANGE = 1_000;

export class RawConnection implements Disposable {
  /**
   * All frames that have arrived. The pieces of large frames are joined. Acknowledgements are not
   * frames.
   */
  readonly frames: string[] = [];
  /** The close code after the connection has ended. */
  closed: number | undefined;
  /** Sends a frame unchanged. */
  readonly send: (frame: string | ArrayBuffer | ArrayBufferView) => void;
  readonly #end: () => void;
  readonly #fence: string;
  readonly #ended = Promise.withResolvers<void>();
  #reason = '';
  #exchanges = 0;
  /** The number of frames that the test has read. */
  #read = 0;
  #wake = (): void => {};

  private constructor(send: (frame: Frame) => void, end: () => void, fence: string) {
    this.send = send as RawConnection['send'];
    this.#end = end;
    this.#fence = fence;
  }

  /**
   * @param socket - a WebSocket, open or about to open
   * @param fence - the name of a method without arguments and effects, for `exchange`
   * @returns the connection, once the socket is open or has been refused
   */
  static async socket(socket: object, fence = 'one'): Promise<RawConnection> {
    const from = socket as Socket;
    const raw = new RawConnection(
      (frame) => from.send(frame),
      () => from.close(1000),
      fence,
    );
    from.binaryType = 'arraybuffer';
    const join = pieceJoiner((acknowledgement) => from.send(acknowledgement));
    from.addEventListener('message', ({ data }: { data: Frame }) => {
      const arrived = join(data);
      if (arrived !== undefined && arrived !== ACK) raw.#arrived(wholeFrame(arrived));
    });
    from.addEventListener('close', ({ code, reason }: CloseEvent) => raw.#closed(code, reason));
    if (from.readyState !== OPEN) {
      await new Promise<void>((resolve) => {
        from.addEventListener('open', () => resolve());
        from.addEventListener('close', () => resolve());
      });
    }
    return raw;
  }

  /**
   * @param port - the client's end of the port
   * @param fence - the name of a method without arguments and effects, for `exchange`
   */
  static port(port: PortLike, fence = 'one'): RawConnection {
    const end = (): void => {
      port.close?.();
      raw.#closed(1000);
    };
    const raw = new RawConnection((frame) => port.postMessage(frame), end, fence);
    listenTo(port, {
      frame: (frame) => raw.#arrived(frame),
      end: (code, reason) => raw.#closed(code, reason),
    });
    return raw;
  }

  /**
   * @param url - the URL of the object's `call` path
   * @param options - the id of the client, if it has one, and another `fetch`
   */
  static post(
    url: string,
    {
      client,
      fetch = globalThis.fetch,
    }: { client?: string | undefined; fetch?: typeof globalThis.fetch } = {},
  ): RawConnection {
    const headers = {
      'Content-Type': 'application/json',
      ...(client !== undefined && { 'lumenize-rpc-client': client }),
    };
    const send = async (body: Frame): Promise<void> => {
      const response = await fetch(url, { method: 'POST', headers, body });
      raw.#arrived(await response.text());
    };
    const raw = new RawConnection(
      (frame) => void send(frame),
      () => raw.#closed(1000),
      'one',
    );
    return raw;
  }

  /** Sends messages in one frame. */
  sendMessages(...messages: string[]): void {
    this.send(`[${messages.join()}]`);
  }

  /** Sends messages in one frame, and returns the next frame that arrives. */
  ask(...messages: string[]): Promise<string> {
    this.sendMessages(...messages);
    return this.next();
  }

  /**
   * Sends messages in one frame, and then a call. The ids of calls in the messages are below 1 000
   * in the first exchange, from 1 001 on in the second, and so on.
   *
   * @returns the messages that arrive before the answer of that call and after the frames that the
   *   test has read
   */
  exchange(...messages: string[]): Promise<unknown[][]> {
    if (messages.length > 0) this.sendMessages(...messages);
    const id = ++this.#exchanges * EXCHANGE;
    this.sendMessages(`[${id},"${this.#fence}"]`);
    return this.upTo(id);
  }

  /**
   * @returns the next frame; after the last frame, the text `closed` with the close code and the
   *   reason
   */
  async next(): Promise<string> {
    while (this.#read === this.frames.length && this.closed === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.frames[this.#read++] ?? `closed ${this.closed} ${this.#reason}`;
  }

  /** @returns the messages of the next frames, up to the frame with the wanted message */
  async until(isMeant: (message: unknown[]) => boolean): Promise<unknown[][]> {
    const messages: unknown[][] = [];
    for (;;) {
      const frame = await this.next();
      if (frame.startsWith('closed')) throw new Error(`The connection was ${frame}`);
      const arrived = JSON.parse(frame) as unknown[][];
      messages.push(...arrived);
      if (arrived.some(isMeant)) return messages;
    }
  }

  /**
   * @returns the messages of the next frames, up to the frame with the answer of a call, without
   *   that answer
   */
  async upTo(id: number): Promise<unknown[][]> {
    const messages = await this.until(([first]) => first === id);
    return messages.filter(([first]) => first !== id);
  }

  /** @returns a promise that resolves when the connection has ended */
  close(): Promise<void> {
    this.#end();
    return this.#ended.promise;
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  #arrived(frame: Frame): void {
    this.frames.push(String(frame));
    this.#wake();
  }

  #closed(code: number, reason = ''): void {
    // Node closes a port after the object has sent a close code.
    if (this.closed !== undefined) return;
    this.closed = code;
    this.#reason = reason;
    this.#ended.resolve();
    this.#wake();
  }
}
