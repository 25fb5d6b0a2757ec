/**
 * A room whose cursors are in memory. It has volatile methods, and other methods to compare them
 * with.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import { openApi, routeHttpRequest } from '../../../../src/http.ts';
import {
  capability,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  streamOf,
  volatile,
} from '../../../../src/server.ts';

class DeskImpl {
  readonly #room: RoomImpl;

  constructor(room: object) {
    this.#room = room as RoomImpl;
  }

  point(at: number): number {
    return this.#room.move(at);
  }
}

const Desk = capability(DeskImpl, [], { point: volatile([Type.Integer()]) });

class RoomImpl extends DurableObject<Env> {
  /** The positions of the cursor since the last eviction. */
  #path: number[] = [];
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  /** @returns how often the cursor has moved */
  move(at: number): number {
    return this.#path.push(at);
  }

  async moveLater(at: number, gate: string): Promise<number> {
    await this.#gate(gate).promise;
    return this.move(at);
  }

  async moveAlong(path: AsyncIterable<number>): Promise<number> {
    for await (const at of path) this.move(at);
    return this.#path.length;
  }

  fail(): never {
    throw new RangeError('no such place');
  }

  openGate(gate: string): void {
    this.#gate(gate).resolve();
  }

  path(): number[] {
    return this.#path;
  }

  /** Returns the position of the cursor. */
  place(): number {
    return this.#path.at(-1) ?? 0;
  }

  desk(): InstanceType<typeof Desk> {
    return new Desk(this);
  }

  note(text: string): number {
    this.ctx.storage.kv.put('note', text);
    return text.length;
  }

  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }
}

const contract = {
  move: volatile([Type.Integer()]),
  moveLater: volatile([Type.Integer(), Type.String()]),
  moveAlong: volatile([streamOf(Type.Integer())]),
  fail: volatile(),
  openGate: volatile([Type.String()]),
  path: read(),
  place: live(),
  desk: { input: [], returns: Desk },
  note: [Type.String()],
  rowsWritten: read(),
} as const;

export const Room = lumenizeRpcDO(RoomImpl, contract);
export type Room = InstanceType<typeof Room>;
export const Rated = lumenizeRpcDO(RoomImpl, contract, { limits: { callsPerSecond: 1 } });

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const http = { classes: { ROOM: Room }, openapi: { generator: openApi } };
    const response =
      (await routeHttpRequest(request, env, http)) ?? (await routeDORequest(request, env));
    return response ?? new Response('no such object', { status: 404 });
  },
};
