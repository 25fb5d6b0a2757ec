/** An object with a list of cards, which random edits change. It has live values with and without keys. */
import { DurableObject } from 'cloudflare:workers';
import { randomNumbers } from '../../../../src/perf/measure/statistics.ts';
import { type Card, type Head, sumOf } from './cards.ts';
import * as Type from '../../../../src/typebox.ts';
import { bytes, currentCaller, live, lumenizeRpcDO, read } from '../../../../src/server.ts';

/** The maximum number of cards. */
const MOST = 60;

class BoardImpl extends DurableObject<Env> {
  /** Returns the head, and then the cards. */
  cards(): (Card | Head)[] | null {
    const cards = this.#cards;
    // Some versions have no list.
    if (this.version() % 97 === 96) return null;
    return [{ id: 'head', version: this.version(), sum: sumOf(cards) }, ...cards];
  }

  /** Returns the cards by their columns. */
  columns(): Map<string, (Card | Head)[]> {
    const columns = new Map<string, (Card | Head)[]>();
    for (const card of this.#cards) {
      columns.set(card.column, [...(columns.get(card.column) ?? []), card]);
    }
    const sum = sumOf([...columns.values()].flat());
    return new Map([['head', [{ id: 'head', version: this.version(), sum }]], ...columns]);
  }

  /** Returns the cards in an order that depends on the caller. */
  own(): (Card | Head)[] {
    const cards =
      currentCaller<{ user: string }>()?.user === 'ann' ? this.#cards.toReversed() : this.#cards;
    return [{ id: 'head', version: this.version(), sum: sumOf(cards) }, ...cards];
  }

  version(): number {
    return this.ctx.storage.kv.get<number>('version') ?? 0;
  }

  get #cards(): Card[] {
    return this.ctx.storage.kv.get<Card[]>('cards') ?? [];
  }

  /** Makes `count` random edits. */
  edit(count: number): number {
    const { kv } = this.ctx.storage;
    const cards = this.#cards;
    let version = this.version();
    for (let left = count; left > 0; left--) edit(cards, ++version);
    kv.put('cards', cards);
    kv.put('version', version);
    return version;
  }
}

function edit(cards: Card[], version: number): void {
  const random = randomNumbers(version);
  const place = (): number => Math.floor(random() * cards.length);
  const made = (id: Card['id']): Card => ({
    id,
    version,
    column: ['todo', 'doing', 'done'][Math.floor(random() * 3)] as string,
    text: 'text '.repeat(random() * 10),
    ...(random() < 0.3 && { more: moreOf(random()) }),
  });
  const kind = random();
  if (cards.length === 0 || (kind < 0.3 && cards.length < MOST)) {
    const id = [version, `card ${version}`, BigInt(version)][version % 3] as Card['id'];
    cards.splice(place(), 0, made(id));
  } else if (kind < 0.45) cards.splice(place(), 1);
  else if (kind < 0.8) {
    const at = place();
    cards[at] = made((cards[at] as Card).id);
  } else if (kind < 0.97) cards.splice(place(), 0, ...cards.splice(place(), 1 + random() * 3));
  else if (kind < 0.99) cards.sort(() => random() - 0.5);
  else cards.splice(0, random() < 0.3 ? Infinity : 5);
}

/** Returns a value that JSON lacks, or a value that looks like a part of the protocol. */
function moreOf(kind: number): unknown {
  return [
    new Date(kind * 1e12),
    new Uint8Array(kind * 3_000),
    new Map([['key', new Set([1n, undefined])]]),
    [0, 1],
    ['Date', 5],
    { id: 'head', nested: [[]] },
  ][Math.floor(kind * 6)];
}

export const Board = lumenizeRpcDO(
  BoardImpl,
  {
    cards: live([], { key: 'id' }),
    columns: live([], { key: 'id' }),
    own: live([], { key: 'id' }),
    version: read(),
    edit: [Type.Integer()],
  },
  { use: [bytes] },
);
export type Board = InstanceType<typeof Board>;
