/**
 * Measures what a call costs on the wire: the number of frames, and their bytes before compression. For
 * a POST it counts the body, without HTTP headers.
 */
import type { Contender } from '../contenders.ts';

interface Traffic {
  frames: number;
  bytes: number;
}

/** The cost of one call. */
export interface WireCost {
  contender: string;
  operation: 'increment' | 'getValue';
  up: Traffic;
  down: Traffic;
}

const CALLS = 100;

/** Counts the traffic of calls that run one after another, on an open connection. */
export async function countWire(
  url: string,
  contenders: readonly Contender[],
): Promise<WireCost[]> {
  const costs: WireCost[] = [];
  const { WebSocket, fetch } = globalThis;
  try {
    for (const { name, connect } of contenders) {
      const traffic = countTraffic(WebSocket, fetch);
      const counter = await connect(url, `wire-${crypto.randomUUID()}`);
      try {
        for (const operation of ['increment', 'getValue'] as const) {
          await counter[operation]();
          const { up, down } = traffic;
          for (const one of [up, down]) one.frames = one.bytes = 0;
          for (let call = 0; call < CALLS; call++) await counter[operation]();
          costs.push({ contender: name, operation, up: ofOneCall(up), down: ofOneCall(down) });
        }
      } finally {
        counter.close();
      }
    }
  } finally {
    Object.assign(globalThis, { WebSocket, fetch });
  }
  return costs;
}

function ofOneCall({ frames, bytes }: Traffic): Traffic {
  return { frames: frames / CALLS, bytes: bytes / CALLS };
}

/** Replaces the global `WebSocket` and `fetch` by versions that count their traffic. */
export function countTraffic(
  RealWebSocket: typeof WebSocket,
  realFetch: typeof fetch,
): { up: Traffic; down: Traffic } {
  const traffic = { up: { frames: 0, bytes: 0 }, down: { frames: 0, bytes: 0 } };
  const count = (direction: 'up' | 'down', data: unknown): void => {
    traffic[direction].frames++;
    traffic[direction].bytes += Buffer.byteLength(data as string | ArrayBuffer);
  };
  globalThis.WebSocket = class extends RealWebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => count('down', data));
    }

    override send(data: string | ArrayBuffer): void {
      count('up', data);
      super.send(data);
    }
  } as typeof WebSocket;
  globalThis.fetch = async (input, init) => {
    count('up', init?.body ?? '');
    const response = await realFetch(input, init);
    count('down', await response.clone().arrayBuffer());
    return response;
  };
  return traffic;
}
