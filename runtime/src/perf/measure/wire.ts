/**
 * Measures what a call costs on the wire: the number of frames, and their bytes before compression. For
 * a POST it counts the body, without HTTP headers.
 */
import { CalledObject, instanceName, type MeasuredMethods } from '../called-object.ts';
import type { Contender } from '../contenders.ts';

interface Traffic {
  frames: number;
  bytes: number;
}

/** The cost of one call. */
export interface WireCost {
  contender: string;
  /** The method that was called. */
  operation: string;
  up: Traffic;
  down: Traffic;
}

const CALLS = 100;

/**
 * Counts the traffic of calls that run one after another, on an open connection.
 *
 * @param methods - the methods that are called. A method that a contender rejects has no figures.
 */
export async function countWire(
  url: string,
  contenders: readonly Contender[],
  methods: Iterable<string>,
  measured: MeasuredMethods,
): Promise<WireCost[]> {
  const costs: WireCost[] = [];
  const { WebSocket, fetch } = globalThis;
  try {
    for (const { name, connect } of contenders) {
      const traffic = countTraffic(WebSocket, fetch, url);
      const connection = await connect(url, instanceName('wire', measured));
      const object = new CalledObject(measured);
      const call = async (operation: string, times: number): Promise<void> => {
        for (const { method, args } of object.prepare(Array<string>(times).fill(operation))) {
          await connection.call(method, args);
        }
      };
      try {
        for (const operation of methods) {
          try {
            await call(operation, 1);
            const { up, down } = traffic;
            for (const one of [up, down]) one.frames = one.bytes = 0;
            await call(operation, CALLS);
            costs.push({ contender: name, operation, up: ofOneCall(up), down: ofOneCall(down) });
          } catch {}
        }
      } finally {
        connection.close();
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

/**
 * Replaces the global `WebSocket` and `fetch` by versions that count their traffic.
 *
 * @param server - the URL of the server whose requests are counted. Other code of the process may send requests elsewhere. Default:
 *   all requests are counted.
 */
export function countTraffic(
  RealWebSocket: typeof WebSocket,
  realFetch: typeof fetch,
  server = '',
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
    const isCounted = String(input instanceof Request ? input.url : input).startsWith(server);
    if (!isCounted) return realFetch(input, init);
    count('up', init?.body ?? '');
    const response = await realFetch(input, init);
    count('down', await response.clone().arrayBuffer());
    return response;
  };
  return traffic;
}
