/** A WebSocket class that reports its frames, and whose sockets can be closed by the page. */
/** A frame without messages: the client's ping, and the object's answer. */
const HEARTBEAT = '[]';

export interface Frame {
  /** The object that receives or sends the frame. */
  object: string;
  direction: 'up' | 'down';
  text: string;
  bytes: number;
}

/** Totals without heartbeats, which no call causes. */
export interface Traffic {
  frames: number;
  bytes: number;
}

export function observeSockets(object: string, tell: (frame: Frame) => void) {
  const open = new Set<WebSocket>();
  const traffic: Traffic = { frames: 0, bytes: 0 };

  function observe(direction: Frame['direction'], text: string): void {
    const bytes = new TextEncoder().encode(text).length;
    if (text !== HEARTBEAT) {
      traffic.frames++;
      traffic.bytes += bytes;
    }
    tell({ object, direction, text, bytes });
  }

  class ObservedSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      open.add(this);
      this.addEventListener('message', ({ data }) => observe('down', data));
      this.addEventListener('close', () => open.delete(this));
    }

    override send(text: string): void {
      // A socket that is closing drops frames, and Chrome reports an error.
      if (this.readyState !== WebSocket.OPEN) return;
      observe('up', text);
      super.send(text);
    }
  }

  /**
   * Closes all sockets. Answers that are on their way are lost. Resolves when the client knows that they are
   * closed.
   */
  async function cut(): Promise<void> {
    const closings = [...open].map((socket) => {
      socket.close(4000, 'Cut by the page');
      return new Promise((resolve) => socket.addEventListener('close', resolve));
    });
    await Promise.all(closings);
  }

  return { WebSocket: ObservedSocket, traffic, cut };
}
