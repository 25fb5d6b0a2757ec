/** The worker under test in a bare workerd, and clients of it. */
import type { RpcClient } from '../../../src/client.ts';
import { ServedPlace, serveForTests } from '../../served/place.ts';
import type { Room, RoomRelay } from './worker.ts';

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { ROOM: 'Room', RELAY: 'RoomRelay' } as const;

export class Place extends ServedPlace<Room, keyof typeof BINDINGS> {
  /** For the tests of a file; it ends with the last of them. */
  static async forTests(): Promise<Place> {
    return new Place(await serveForTests(import.meta.dirname, BINDINGS), 'ROOM');
  }

  /** A client of a relay, such as `lobby/1`, or of a relay of a relay, such as `lobby/1/2`. */
  relay(name: string): RpcClient<RoomRelay> {
    return this.connect(name, {}, 'RELAY') as object as RpcClient<RoomRelay>;
  }

  /** Stops a room or a relay. */
  async stop(name: string): Promise<void> {
    await fetch(`${this.runtime.url}/stop?name=${encodeURIComponent(name)}`);
  }
}
