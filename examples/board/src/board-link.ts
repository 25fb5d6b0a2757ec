/** A link that shows the board to everybody who has the link, until an owner takes it back. */
import { RpcTarget } from 'cloudflare:workers';
import { capability, live, type RpcObject } from 'lumenize-rpc/server';
import type { Cards } from './board-cards.ts';
import type { Lanes } from './board-moves.ts';

class VisitorImpl extends RpcTarget {
  readonly #cards: Cards;

  constructor({ cards }: { cards: Cards }) {
    super();
    this.#cards = cards;
  }

  lanes(): Lanes {
    return this.#cards.lanes();
  }
}

/** The capability of a link, which shows the cards. */
export const Visitor = capability(VisitorImpl, [], { lanes: live([], { key: 'id' }) });
export type Visitor = RpcObject<typeof Visitor>;
