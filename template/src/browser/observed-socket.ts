/** A WebSocket class that tells what passes through it, and whose sockets can be cut. */
import { HEARTBEAT } from '../rpc/wire/messages.ts';

export interface Frame {
  /** The object that it goes to or comes from. */
  object: string;
  direction: 'up' | 'down';
  text: string;
  bytes: number;
}

/** Without heartbeats, which no call is the cause of. */
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
      // While it closes what is sent is lost, and Chrome reports it as an error.
      if (this.readyState !== WebSocket.OPEN) return;
      observe('up', text);
      super.send(text);
    }
  }

  /** What is on its way to a socket that is closing gets lost. Ends when the client knows. */
  async function cut(): Promise<void> {
    const closings = [...open].map((socket) => {
      socket.close(4000, 'Cut by the page');
      return new Promise((resolve) => socket.addEventListener('close', resolve));
    });
    await Promise.all(closings);
  }

  return { WebSocket: ObservedSocket, traffic, cut };
}
