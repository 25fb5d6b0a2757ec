/** The worker under test: a board whose clients have cursors. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  capability,
  currentCaller,
  lumenizeRpcDO,
  presence,
  read,
  RpcError,
} from '../../../src/server.ts';

export { default } from '../../served/routed.ts';

export interface Cursor {
  x: number;
  y?: number;
  at?: Date;
}

const cursor = Type.Object(
  {
    x: Type.Number(),
    y: Type.Optional(Type.Number()),
    at: Type.Optional(Type.Unsafe<Date>(Type.Unknown())),
  },
  { additionalProperties: false },
);

class CardImpl {
  readonly id: string;

  constructor(_: object, id: string) {
    this.id = id;
  }

  editors(text?: string): string | undefined {
    return text && `${this.id}: ${text}`;
  }
}
export const Card = capability(CardImpl, [Type.String()], {
  editors: presence([Type.Optional(Type.String())]),
});

class BoardImpl extends DurableObject {
  /** The number of times that `cursors` has run, in this life of the object. */
  #runs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  cursors(at?: Cursor): (Cursor & { user?: string }) | undefined {
    this.#runs++;
    const user = currentCaller<{ user: string }>()?.user;
    if (user === 'barred') throw new RpcError('FORBIDDEN', 'Not for you');
    if (at?.x === 666) throw new RangeError('No such place');
    return at && (user === undefined ? at : { ...at, user });
  }

  /** Shows the caller without a value of its own. */
  online(): { user: string } {
    return { user: currentCaller<{ user: string }>()?.user ?? 'guest' };
  }

  text(text?: string): string | undefined {
    return text;
  }

  soon(text?: string): Promise<string> | undefined {
    return text === undefined ? undefined : Promise.resolve(text);
  }

  card(id: string): InstanceType<typeof Card> {
    return new Card(this, id);
  }

  runs(): number {
    return this.#runs;
  }

  /** Returns how often the object was constructed. */
  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  keys(): string[] {
    return Array.from(this.ctx.storage.kv.list(), ([key]) => key);
  }
}

export const Board = lumenizeRpcDO(BoardImpl, {
  cursors: presence([Type.Optional(cursor)]),
  online: presence(),
  text: presence([Type.Optional(Type.String())]),
  soon: presence([Type.Optional(Type.String())]) as never,
  card: { input: [Type.String()], returns: Card },
  runs: read(),
  lives: read(),
  keys: read(),
});
export type Board = InstanceType<typeof Board>;
