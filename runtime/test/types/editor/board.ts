/** A class with a method of each kind, for questions to a language server. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  capability,
  events,
  feed,
  internal,
  type Feed,
  live,
  lumenizeRpcDO,
  rows,
  type RpcObject,
  stream,
} from '../../../src/server.ts';

export interface Card {
  /** The title of a card. */
  title: string;
  author: { name: string } | undefined;
}

class PenImpl {
  readonly #owner: string;

  constructor(_board: BoardImpl, owner: string) {
    this.#owner = owner;
  }

  /** Writes on the board. */
  write(text: string): Card {
    return { title: text, author: { name: this.#owner } };
  }

  /** The ink that is left. */
  ink(): number {
    return 1;
  }

  /** No client can call it. */
  refill(): void {}
}

export const Pen = capability(PenImpl, [Type.String()], {
  write: [Type.String()],
  ink: live(),
});
export type Pen = RpcObject<typeof Pen>;

export class BoardImpl extends DurableObject<Env> {
  /** Adds a card to the board. */
  add(title: string, position = 0): Card {
    return { title: title + position, author: undefined };
  }

  /** The cards of the board. */
  cards(): Card[] {
    return [];
  }

  /** The events of the board. */
  news(): Feed<string> {
    return feed(this, 'news');
  }

  /** The board as text. */
  *download(_format: string): Iterable<string> {}

  /** All cards, in their order. */
  *pages(_after?: string): Iterable<{ id: string }> {}

  /** A pen of the board. */
  pen(owner: string): Pen {
    return new Pen(this, owner);
  }

  /** No client can call it. */
  // oxlint-disable-next-line durable-object/no-unlisted-method -- the tests call it by mistake
  compact(): void {}

  /** Only objects can call it. */
  sweep(_before: number): void {}
}

export const Board = lumenizeRpcDO(BoardImpl, {
  add: [Type.String(), Type.Optional(Type.Number())],
  cards: live(),
  news: events(),
  download: stream([Type.String()]),
  pages: rows('id', [Type.Optional(Type.String())]),
  pen: { input: [Type.String()], returns: Pen },
  sweep: internal([Type.Number()]),
});
export type Board = RpcObject<typeof Board>;

/** The type in the form that most projects write. */
export type PlainBoard = InstanceType<typeof Board>;

/** The interface of a class without a contract, as another project shares it. */
export interface BoardApi {
  /** Adds a card through the interface. */
  add(title: string): Card;
  /** News through the interface. */
  news(): AsyncIterable<string>;
  set<Key extends keyof Card>(key: Key, value: Card[Key]): void;
  get(id: number): string;
  get(name: string): number;
}
