/** A board, which several people use at the same time. Each mechanism has a file of its own. */
import { DurableObject } from 'cloudflare:workers';
import {
  bytes,
  closeClients,
  events,
  feed,
  type Feed,
  type FeedPage,
  live,
  lumenizeRpcDO,
  migrate,
  presence,
  read,
  revoke,
  type RpcObject,
  stream,
  streamOf,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';
import type { Caller } from './board-caller.ts';
import { CARDS, Cards } from './board-cards.ts';
import { storeFile } from './board-files.ts';
import { Visitor } from './board-link.ts';
import { type Lane, LANES, type Lanes } from './board-moves.ts';
import {
  join,
  type Member,
  MEMBERS,
  requireRole,
  type Role,
  ROLES,
  setRole,
} from './board-roles.ts';

/** An action of a user, and its time by `Date.now()`. */
export type Activity = { user: string; text: string; at: number };

/** The position of a user's pointer, in parts of the board's width and height. */
export type Cursor = { user: string; x: number; y: number };

class BoardImpl extends DurableObject<Env> {
  readonly cards = new Cards(this.ctx.storage);

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, [CARDS, MEMBERS]);
  }

  lanes(): Lanes {
    this.#require('viewer');
    return this.cards.lanes();
  }

  add(title: string): void {
    const { user } = this.#require('editor');
    this.cards.add(title);
    this.#report(user, `added “${title}”`);
  }

  /** @param before - the next card after the move. Without it, the card goes to the end of the lane */
  move(id: string, lane: Lane, before?: string): void {
    const { user } = this.#require('editor');
    const { title } = this.cards.get(id);
    this.cards.move(id, lane, before);
    this.#report(user, `moved “${title}” to ${lane}`);
  }

  async remove(id: string): Promise<void> {
    const { user } = this.#require('editor');
    const { title, key } = this.cards.get(id);
    this.cards.remove(id);
    this.#report(user, `removed “${title}”`);
    if (key) await this.env.BOARD_FILES.delete(key);
  }

  /** Attaches a file to a card, in place of an earlier file. */
  async attach(
    id: string,
    name: string,
    size: number,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const { user } = this.#require('editor');
    this.cards.get(id);
    const key = `${this.ctx.id}/${crypto.randomUUID()}`;
    await storeFile(this.env.BOARD_FILES, key, size, pieces);
    // Meanwhile another member may have removed the card, or replaced its file.
    const card = this.cards.find(id);
    this.cards.setFile(id, name, key);
    if (card) this.#report(user, `attached ${name} to “${card.title}”`);
    const unused = card ? card.key : key;
    if (unused) await this.env.BOARD_FILES.delete(unused);
  }

  async file(id: string): Promise<ReadableStream<Uint8Array>> {
    this.#require('viewer');
    const { key } = this.cards.get(id);
    const file = key && (await this.env.BOARD_FILES.get(key));
    if (!file) throw new Error('The file does not exist');
    return file.body;
  }

  /** Clients send the positions of their pointers. Nothing is stored. */
  cursors(x?: number, y?: number): Cursor | undefined {
    const { user } = this.#require('viewer');
    return x === undefined || y === undefined ? undefined : { user, x, y };
  }

  activity(): Feed<Activity> {
    this.#require('viewer');
    return this.#activity;
  }

  history(before?: string): FeedPage<Activity> {
    return this.activity().read({ before, limit: 20 });
  }

  /** The first user who joins owns the board. */
  join(): void {
    join(this.#require('viewer').user, this.ctx.storage.sql);
  }

  members(): Member[] {
    this.#require('viewer');
    return this.ctx.storage.sql.exec<Member>('SELECT * FROM members ORDER BY user').toArray();
  }

  setRole(user: string, role: Role): void {
    const by = this.#require('owner').user;
    setRole(user, role, this.ctx.storage.sql);
    this.#report(by, `made ${user} ${role}`);
  }

  isShared(): boolean {
    return this.ctx.storage.kv.get<boolean>('shared') ?? false;
  }

  /** Makes the link, or returns the existing link. */
  share(): Visitor {
    this.#require('owner');
    this.ctx.storage.kv.put('shared', true);
    return new Visitor(this);
  }

  /** Takes the link back, and closes the connections of its visitors. */
  unshare(): void {
    this.#require('owner');
    this.ctx.storage.kv.delete('shared');
    revoke(this, new Visitor(this));
    closeClients<Caller>(this, (caller) => caller !== undefined && 'visitor' in caller);
  }

  get #activity(): Feed<Activity> {
    return feed(this, 'activity', { keep: 10_000 });
  }

  #report(user: string, text: string): void {
    this.#activity.append({ user, text, at: Date.now() });
  }

  #require(role: Role): Member {
    return requireRole(role, this.ctx.storage.sql);
  }
}

const id = Type.String({ maxLength: 36 });
const title = Type.String({ minLength: 1, maxLength: 200 });
const name = Type.String({ minLength: 1, maxLength: 30 });
const lane = Type.Enum(LANES);
const size = Type.Integer({ minimum: 1, maximum: 20_000_000 });
const part = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const piece = Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array,
  () => 'must be a Uint8Array',
);

export const Board = lumenizeRpcDO(
  BoardImpl,
  {
    lanes: live([], { key: 'id' }),
    add: [title],
    move: [id, lane, Type.Optional(Type.String({ maxLength: 36 }))],
    remove: [id],
    attach: [id, Type.String({ minLength: 1, maxLength: 200 }), size, streamOf(piece)],
    file: stream([id], { readonly: true }),
    cursors: presence([part, part]),
    activity: events(),
    history: read([Type.Optional(Type.String({ maxLength: 50 }))]),
    join: [],
    members: live([], { key: 'user' }),
    setRole: [name, Type.Enum(ROLES)],
    isShared: live(),
    share: { input: [], returns: Visitor },
    unshare: [],
  },
  { use: [bytes] },
);
export type Board = RpcObject<typeof Board>;
