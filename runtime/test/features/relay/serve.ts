/** The rooms, relays and hubs of `worker.ts`, for the tests of a file. */
import type { RpcClient, RpcClientOptions } from '../../../src/client.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Hub, Room, RoomRelay } from './worker.ts';

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { ROOM: 'Room', RELAY: 'RoomRelay', HUB: 'Hub', CROWD: 'Crowd' } as const;

export async function serve() {
  const worker = await TestWorker.forTests<Room, keyof typeof BINDINGS>(
    import.meta.dirname,
    BINDINGS,
  );
  return {
    worker,
    roomAt: (name: string) => worker.connect(name),
    /** @returns a client of a relay, such as `lobby/1` */
    relayAt: (name: string) => worker.connect(name, {}, 'RELAY') as object as RpcClient<RoomRelay>,
    hubAt: (name: string, options?: RpcClientOptions) =>
      worker.connect(name, options, 'HUB') as object as RpcClient<Hub>,
    /** Stops a room or a relay. */
    stop: (name: string) => fetch(`${worker.runtime.url}/stop?name=${encodeURIComponent(name)}`),
    stopHub: (name: string) =>
      fetch(`${worker.runtime.url}/stop?hub&name=${encodeURIComponent(name)}`),
  };
}

/** Returns the numbers from `first` to `last`. */
export function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
