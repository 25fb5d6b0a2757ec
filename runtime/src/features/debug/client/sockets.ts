/** WebSockets whose frames a program sees, and whose connections it can cut. The debug output does not import them. */
import type { WebSocketClass } from '../../../client/options.ts';
import { splitFrame } from '../../../wire/bytes.ts';
import { type Frame, HEARTBEAT } from '../../../wire/messages.ts';

/** A frame that a socket has sent or received. */
export interface SocketFrame {
  /** `up` is from the client to the object. */
  direction: 'up' | 'down';
  /** The text of the frame. For a binary frame, it does not have the bytes after the text. */
  text: string;
  /** The size of the whole frame in bytes, before compression. */
  bytes: number;
}

/** The result of `observeSockets`. */
export interface ObservedSockets {
  /** The class to pass as the option `WebSocket` of a client. */
  WebSocket: WebSocketClass;
  /**
   * Closes the connections. Answers on their way are lost, and the client connects again. Resolves when the client
   * has learned that its connection is closed.
   */
  cut(): Promise<void>;
}

/**
 * Shows a page or a test the frames that a client sends and receives, and lets it cut the client's connection. Call it
 * once for each client. Heartbeats are not shown. A frame of more than 256 KiB is sent in pieces, and each piece is shown.
 *
 * @param onFrame - called with each frame, before it is sent or read
 * @param Base - the class that opens the connections. Default: the global `WebSocket`.
 * @returns the class for the option `WebSocket`, and `cut`, which closes the connections
 * @example
 * const sockets = observeSockets(({ direction, text }) => console.log(direction, text));
 * const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { WebSocket: sockets.WebSocket });
 * const answer = counter.increment();
 * await sockets.cut();
 * await answer;
 */
export function observeSockets(
  onFrame: (frame: SocketFrame) => void,
  Base: WebSocketClass = WebSocket as WebSocketClass,
): ObservedSockets {
  const connected = new Set<Observed>();

  function show(direction: SocketFrame['direction'], frame: Frame): void {
    if (frame !== HEARTBEAT) onFrame({ direction, ...measured(frame) });
  }

  class Observed extends Base {
    constructor(...args: ConstructorParameters<WebSocketClass>) {
      super(...args);
      connected.add(this);
      this.addEventListener('message', (event) => {
        if (connected.has(this)) show('down', event.data as Frame);
        else (event as Event).stopImmediatePropagation();
      });
      this.addEventListener('close', () => connected.delete(this));
    }

    override send(frame: Frame): void {
      // A socket that is closing sends nothing, and a browser would report an error.
      if (!connected.has(this)) return;
      show('up', frame);
      super.send(frame);
    }
  }

  return {
    WebSocket: Observed,
    async cut() {
      const closings = Array.from(connected, (socket) => {
        connected.delete(socket);
        socket.close(4000, 'Cut on purpose');
        return new Promise<unknown>((resolve) => socket.addEventListener('close', resolve));
      });
      await Promise.all(closings);
    },
  };
}

function measured(frame: Frame): Pick<SocketFrame, 'text' | 'bytes'> {
  if (typeof frame === 'string') {
    return { text: frame, bytes: new TextEncoder().encode(frame).length };
  }
  return { text: splitFrame(frame)?.text ?? '', bytes: frame.byteLength };
}
