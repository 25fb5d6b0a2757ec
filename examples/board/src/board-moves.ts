/** Moves a card. The object and its pages share the function, so a page can show the lanes after the move at once. */

export const LANES = ['todo', 'doing', 'done'] as const;
export type Lane = (typeof LANES)[number];

/** A card. `file` is the name of its attachment. */
export type Card = { id: string; title: string; file: string | null };

export type Lanes = Record<Lane, Card[]>;

/**
 * @param before - the next card after the move. If the lane does not have this card, the moved card goes to the end
 * @returns the lanes after the move, with the same array for an unchanged lane
 */
export function moved(lanes: Lanes, id: string, to: Lane, before?: string): Lanes {
  const from = LANES.find((lane) => lanes[lane].some((card) => card.id === id));
  const card = from && lanes[from].find((one) => one.id === id);
  if (!card || id === before) return lanes;
  const without = { ...lanes, [from]: lanes[from].filter((one) => one !== card) };
  const at = without[to].findIndex((one) => one.id === before);
  const cards = [...without[to]];
  cards.splice(at < 0 ? cards.length : at, 0, card);
  return { ...without, [to]: cards };
}
