/** A room in which each client has a cursor. A cursor moves as a presence, or by a call with an entry in the journal. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../runtime/src/typebox.ts';
import { presence, read } from '../../runtime/src/server.ts';

export interface Cursor {
  x: number;
  y: number;
}

const cursor = Type.Object({ x: Type.Number(), y: Type.Number() });

export class PointersImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  cursors(at?: Cursor): Cursor | undefined {
    return at;
  }

  /** Returns a position. The journal stores the answer. */
  move(at: Cursor): number {
    return at.x;
  }

  /** Returns how often the object was constructed. */
  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  /** Returns the number of rows written since the object was constructed, including the journal's. */
  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }
}

export const pointersContract = {
  cursors: presence([Type.Optional(cursor)]),
  move: [cursor],
  lives: read(),
  rowsWritten: read(),
} as const;
