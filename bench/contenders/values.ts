/** Values that contenders send, and the same data as JSON for contenders that send only JSON. */

/** Dates, bigints and bytes in nested rows: 2.5 kB as text. */
export const TYPED = {
  id: 12_345_678_901_234_567_890n,
  at: new Date('2026-05-04T03:02:01Z'),
  photo: Uint8Array.from({ length: 512 }, (_, index) => index * 7),
  owner: { name: 'Ada Lovelace', born: new Date('1815-12-10'), tags: ['mathematics', 'poetry'] },
  rows: Array.from({ length: 14 }, (_, index) => ({
    id: BigInt(index) * 10n ** 15n,
    name: `row number ${index}`,
    at: new Date(1_777_777_777_000 + index),
    done: index % 2 === 0,
    place: { shelf: index % 4, box: [index, index + 1] },
  })),
};

/** The data of the typed value, in the form of code without a library. */
export const TYPED_AS_JSON = JSON.parse(JSON.stringify(TYPED, asJson)) as unknown;

function asJson(_: string, part: unknown): unknown {
  if (part instanceof Uint8Array) return btoa(String.fromCharCode(...part));
  return typeof part === 'bigint' ? String(part) : part;
}

const rows = Array.from({ length: 16 }, (_, index) => ({
  id: index,
  name: `row number ${index}`,
  done: index % 2 === 0,
  score: index / 8,
  tags: ['red', 'green'],
}));

/** A Map and a Set of rows that also occur elsewhere in the value: 2 kB as text. */
export const RICH = {
  rows,
  byName: new Map(rows.map((row) => [row.name, row])),
  chosen: new Set(rows.slice(0, 5)),
  first: rows[0],
};

/** The data of the rich value, in the form of code without a library: each row once, and indices of rows. */
export const RICH_AS_JSON = {
  rows,
  byName: rows.map(({ name }, index) => [name, index]),
  chosen: [0, 1, 2, 3, 4],
  first: 0,
};
