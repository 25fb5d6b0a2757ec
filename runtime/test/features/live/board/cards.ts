/** What a board shows: cards, and a head that says which cards there are. */

export interface Card {
  readonly id: string | number | bigint;
  /** Another number after each change of the card. */
  readonly version: number;
  readonly column: string;
  readonly text: string;
  readonly more?: unknown;
}

/** Cards, and a number that grows with each edit. The sum belongs to the other cards. */
export interface Head {
  readonly id: 'head';
  readonly version: number;
  readonly sum: string;
}

/** The sum of cards in an order. A client that has other cards, or has them in another order, finds another sum. */
export function sumOf(cards: readonly (Card | Head)[]): string {
  return cards
    .filter(({ id }) => id !== 'head')
    .map(({ id, version }) => `${id}.${version}`)
    .join();
}
