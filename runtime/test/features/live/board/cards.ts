/** The cards of a board, and the head of their list. */

export interface Card {
  readonly id: string | number | bigint;
  /** A number that is new after each change of the card. */
  readonly version: number;
  readonly column: string;
  readonly text: string;
  readonly more?: unknown;
}

/** A row with the number of edits, and with the sum of all cards. */
export interface Head {
  readonly id: 'head';
  readonly version: number;
  readonly sum: string;
}

/** Returns a text that depends on the cards and on their order. */
export function sumOf(cards: readonly (Card | Head)[]): string {
  return cards
    .filter(({ id }) => id !== 'head')
    .map(({ id, version }) => `${id}.${version}`)
    .join();
}
