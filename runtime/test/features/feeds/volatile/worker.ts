/** The worker under test: a room with volatile feeds. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import {
  events,
  feed,
  type Feed,
  type FeedPage,
  lumenizeRpcDO,
  read,
} from '../../../../src/server.ts';

export { default } from '../../../served/routed.ts';

class RoomImpl extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  reactions(): Feed<number> {
    return feed(this, 'reactions', { volatile: true, keep: 20, window: 4 });
  }

  /** Another feed of the same name, which stores its events. */
  stored(): Feed<number> {
    return feed(this, 'reactions');
  }

  summed(): Feed<number | { all: true }> {
    return feed(this, 'summed', { volatile: true, keep: 5, snapshot: () => ({ all: true }) });
  }

  react(numbers: number[]): void {
    this.reactions().append(...numbers);
    this.summed().append(...numbers);
  }

  history(before?: string): FeedPage<number> {
    return this.reactions().read({ before });
  }

  /** Returns how often the object was constructed. */
  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  keys(): string[] {
    return Array.from(this.ctx.storage.kv.list(), ([key]) => key).filter(
      (key) => !key.startsWith('__rpc_journal'),
    );
  }
}

export const Room = lumenizeRpcDO(RoomImpl, {
  reactions: events(),
  stored: events(),
  summed: events(),
  react: [Type.Array(Type.Number())],
  history: read([Type.Optional(Type.String())]),
  lives: read(),
  keys: read(),
});
export type Room = InstanceType<typeof Room>;
