/**
 * A subscription of plain HTTP to an object, over a WebSocket through the object's stub. The object can hibernate while
 * the socket is open. If the object is stopped, the subscription continues over another socket.
 */
import { Reader, type ReaderConnection } from '../features/subscriptions/client/reader.ts';
import { RpcError } from '../wire/errors.ts';
import { CALL_SEGMENT, type Frame, parseFrame, SUBPROTOCOL } from '../wire/messages.ts';
import { pieceJoiner } from '../wire/pieces.ts';
import { FORBIDDEN_STATUS } from '../wire/status.ts';
import { decodeRich } from '../wire/values/rich-decoder.ts';
import type { CalledObject, ReachedObject } from './called-object.ts';
import { frameWithTrace } from './trace.ts';
import { unreadable } from './values.ts';

/** The number of attempts to connect again that can fail in a row before the subscription ends. */
const ATTEMPTS = 6;

/** The longest delay before the first attempt, in milliseconds. It doubles with each attempt. */
const DELAY = 100;

/** The close codes of a rejection are 4400 to 4499, by the status that they mean. */
const REFUSED = 4_000;

/** A response of the Workers runtime, with the socket of an upgrade. */
type UpgradeResponse = Response & { webSocket: (WebSocket & { accept(): void }) | null };

export class ObjectSubscription implements ReaderConnection {
  readonly reader: Reader;
  /** Settles when the object has confirmed the subscription, or when there will be none. */
  readonly begun: Promise<void>;
  /** True if the object was lost, so that a later subscription may go on. */
  isLost = false;
  #hasGap = false;
  readonly #begin: () => void;
  readonly #object: CalledObject;
  #socket: WebSocket | undefined;
  #hasEnded = false;
  #attempts = 0;

  /**
   * @param invocation - the method and its arguments, as text
   * @param after - the cursor after which to begin
   */
  constructor(object: CalledObject, invocation: string, after: string | undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.begun = promise;
    this.#begin = resolve;
    this.#object = object;
    this.reader = new Reader(
      this,
      () => invocation,
      after,
      () => {},
      () => (this.#hasGap = true),
    );
  }

  /** Returns true if events of a volatile feed may be missing since the last call of this method. */
  takeGap(): boolean {
    const hasGap = this.#hasGap;
    this.#hasGap = false;
    return hasGap;
  }

  /**
   * Connects to the object, and subscribes.
   *
   * @returns the response of an object that has opened no socket
   * @throws any error of an object that has not answered
   */
  async open({ target, forwarded }: ReachedObject = this.#object): Promise<Response | undefined> {
    const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': SUBPROTOCOL };
    // The field `cf` of the request has the caller that the hook has named.
    const init = { headers, cf: forwarded.cf } as RequestInit;
    const response = await target.fetch(new Request(`https://object/${CALL_SEGMENT}`, init));
    const { webSocket: socket } = response as UpgradeResponse;
    if (!socket) return response;
    const join = pieceJoiner((acknowledgement) => socket.send(acknowledgement));
    socket.addEventListener('message', ({ data }) => {
      const frame = join(data as Frame);
      if (frame !== undefined && socket === this.#socket) this.#receive(frame as Frame);
    });
    const lose = (code: number, reason: string): void => {
      if (socket === this.#socket) this.#lose(code, reason);
    };
    socket.addEventListener('close', ({ code, reason }) => lose(code, reason));
    socket.addEventListener('error', () => lose(1006, ''));
    socket.accept();
    this.#socket = socket;
    // The reader may have left meanwhile.
    if (this.#hasEnded) this.leave();
    else this.reader.begin(false);
    return undefined;
  }

  #receive(frame: Frame): void {
    this.#attempts = 0;
    for (const message of parseFrame(frame) ?? []) {
      // The object could not read the message that subscribes.
      if (message[0] === 'error') this.reader.stop({ thrown: decodeRich(message[1]) });
      else this.reader.receive(message);
    }
    if (this.reader.isBegun) this.#begin();
  }

  #lose(code: number, reason: string): void {
    this.#socket = undefined;
    if (this.#hasEnded) return;
    const status = code - REFUSED;
    if (status < 400 || status >= 500) return void this.#openAgain();
    const rejected = status === FORBIDDEN_STATUS ? 'FORBIDDEN' : 'LIMIT_EXCEEDED';
    this.reader.stop({ thrown: new RpcError(rejected, reason) });
  }

  /** Connects again. The hook decides again, too: it may now reject the subscription. */
  async #openAgain(): Promise<void> {
    while (this.#attempts < ATTEMPTS && !this.#hasEnded) {
      const delay = Math.random() * DELAY * 2 ** this.#attempts++;
      await new Promise((resolve) => setTimeout(resolve, delay));
      try {
        const reached = await this.#object.reachAgain();
        if (reached instanceof Response || (await this.open(reached))) break;
        return;
      } catch {
        // The next attempt may succeed.
      }
    }
    this.isLost = true;
    this.reader.stop({});
  }

  // The reader calls these methods.

  get resolve(): typeof unreadable {
    return unreadable;
  }

  add(): number {
    return 1;
  }

  begin(message: string): boolean {
    const { forwarded, contract } = this.#object;
    return this.#send(frameWithTrace(-this.add(), message, forwarded.headers, contract));
  }

  tell(message: string): boolean {
    return this.#send(`[${message}]`);
  }

  #send(frame: string): boolean {
    this.#socket?.send(frame);
    return this.#socket !== undefined;
  }

  /** Ends the subscription. Without an id of the client, the object ends it with the socket. */
  leave(): void {
    this.#hasEnded = true;
    this.#begin();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
  }
}
