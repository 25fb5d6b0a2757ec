/**
 * What a call costs on the wire: frames, and the bytes in them before compression; of a POST its
 * body, without HTTP's headers.
 */
import type { Contender } from '../contenders.ts';

interface Traffic {
  frames: number;
  bytes: number;
}

/** Of one call. */
export interface WireCost {
  contender: string;
  operation: 'increment' | 'getValue';
  up: Traffic;
  down: Traffic;
}

const CALLS = 100;

/** Counts over calls that wait for one another, on a connection that is open. */
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
      for (const operation of ['increment', 'getValue'] as const) {
        await counter[operation]();
        const { up, down } = traffic;
        for (const one of [up, down]) one.frames = one.bytes = 0;
        for (let call = 0; call < CALLS; call++) await counter[operation]();
        costs.push({ contender: name, operation, up: ofOneCall(up), down: ofOneCall(down) });
      }
      counter.close();
    }
  } finally {
    Object.assign(globalThis, { WebSocket, fetch });
  }
  return costs;
}

function ofOneCall({ frames, bytes }: Traffic): Traffic {
  return { frames: frames / CALLS, bytes: bytes / CALLS };
}

/** Puts others in the place of the global `WebSocket` and `fetch`, which count what goes through. */
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
