/**
 * The segments of the journal. A segment has large answers, or many answers, of one client. Segments are in a table, which
 * is created when it is first needed. All segments of an object together have a maximum size. Beyond it, the oldest
 * segments of the visitor that stores most are deleted.
 */
import type { StoredSegment } from './client-journal.ts';
import type { StoredAnswers } from './stored-answers.ts';

/** The maximum size of all segments of an object, in bytes: 64 MiB. */
const MAX_TOTAL = 67_108_864;

/** The size to which segments are reduced beyond the maximum. It is lower, so that not each new segment causes a search. */
const REDUCED_TOTAL = (MAX_TOTAL / 8) * 7;

const TABLE = '__rpc_answers';

/** The size comes before the answers, so that SQLite sums it up without reading them. */
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE}
  (number INTEGER PRIMARY KEY, written INTEGER, client TEXT, owner TEXT, size INTEGER, answers TEXT, bytes BLOB)`;

/** Selects a segment of a client. The client is checked, because the number of a deleted segment can be used again. */
const OF_CLIENT = 'number = ? AND client = ?';

interface Listed extends Record<string, SqlStorageValue> {
  number: number;
  client: string;
  owner: string | null;
  size: number;
}

interface Stored extends Record<string, SqlStorageValue> {
  answers: string;
  bytes: ArrayBuffer | null;
}

export class JournalSegments {
  readonly #storage: DurableObjectStorage;
  readonly #isInMemory: (client: string) => boolean;
  /** The size of all segments, in bytes; `undefined` until it is first needed. */
  #total: number | undefined;

  /** @param isInMemory - whether a client is connected, or has a call that runs */
  constructor(storage: DurableObjectStorage, isInMemory: (client: string) => boolean) {
    this.#storage = storage;
    this.#isInMemory = isInMemory;
  }

  /** @returns the segments of a client that are still stored */
  read(client: string, numbers: readonly number[] = []): StoredSegment[] {
    return numbers.flatMap((number) =>
      this.#query<Stored>(
        `SELECT answers, bytes FROM ${TABLE} WHERE ${OF_CLIENT}`,
        number,
        client,
      ).map(({ answers, bytes }) => ({ number, answers, bytes: bytes ?? undefined })),
    );
  }

  /**
   * @param replaced - the number of a segment of the client that is no longer needed. It is overwritten, which costs less
   *   than deleting it.
   * @returns the number of the segment
   */
  add(
    client: string,
    owner: string | undefined,
    { answers, bytes }: StoredAnswers,
    replaced: number | undefined,
  ): number {
    this.#total ??= this.#query<{ total: number }>(
      `SELECT COALESCE(SUM(size), 0) AS total FROM ${TABLE}`,
    )[0]!.total;
    const freed = replaced === undefined ? undefined : this.#sizeOf(client, replaced);
    const [added] = this.#query<{ number: number; size: number }>(
      `INSERT INTO ${TABLE}
       VALUES (?1, ?2, ?3, ?4, LENGTH(CAST(?5 AS BLOB)) + COALESCE(LENGTH(?6), 0), ?5, ?6)
       ON CONFLICT DO UPDATE SET written = excluded.written, size = excluded.size,
         answers = excluded.answers, bytes = excluded.bytes
       RETURNING number, size`,
      freed === undefined ? null : replaced!,
      Date.now(),
      client,
      owner ?? null,
      answers,
      bytes ?? null,
    );
    const { number, size } = added!;
    this.#total += size - (freed ?? 0);
    if (this.#total > MAX_TOTAL) this.#reduce();
    return number;
  }

  delete(client: string, numbers: readonly number[] = []): void {
    for (const number of numbers) {
      const [deleted] = this.#query<{ size: number }>(
        `DELETE FROM ${TABLE} WHERE ${OF_CLIENT} RETURNING size`,
        number,
        client,
      );
      if (deleted && this.#total !== undefined) this.#total -= deleted.size;
    }
  }

  #sizeOf(client: string, number: number): number | undefined {
    const statement = `SELECT size FROM ${TABLE} WHERE ${OF_CLIENT}`;
    return this.#query<{ size: number }>(statement, number, client)[0]?.size;
  }

  /**
   * Deletes the oldest segments of the visitors that store most. All clients of an owner count as one visitor. A client in
   * memory without an owner is a visitor. All other clients without an owner count as one visitor, because they may be
   * one stranger who makes up ids.
   */
  #reduce(): void {
    const all = this.#query<Listed>(
      `SELECT number, client, owner, size FROM ${TABLE} ORDER BY written, number`,
    );
    const ofGone = all.filter(({ client }) => !this.#isInMemory(client));
    const ofOthers = all.filter(({ client }) => this.#isInMemory(client));
    const visitors = Map.groupBy([...ofGone, ...ofOthers], (segment) => this.#visitorOf(segment));
    const share = largestShare(Array.from(visitors.values(), sizeOf), REDUCED_TOTAL);
    this.#total = 0;
    for (const segments of visitors.values()) {
      let size = sizeOf(segments);
      for (const segment of segments) {
        if (size <= share) break;
        size -= segment.size;
        this.#query(`DELETE FROM ${TABLE} WHERE number = ?`, segment.number);
      }
      this.#total += size;
    }
  }

  #visitorOf({ client, owner }: Listed): string {
    if (owner !== null) return `owner ${owner}`;
    return this.#isInMemory(client) ? `client ${client}` : 'gone';
  }

  #query<Row extends Record<string, SqlStorageValue>>(
    statement: string,
    ...bindings: SqlStorageValue[]
  ): Row[] {
    const { sql } = this.#storage;
    // The table is created each time, because `deleteAll` deletes it.
    sql.exec(CREATE);
    return sql.exec<Row>(statement, ...bindings).toArray();
  }
}

function sizeOf(segments: readonly Listed[]): number {
  return segments.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the largest size that each visitor may have, so that all visitors together have no more than the total. */
function largestShare(sizes: readonly number[], total: number): number {
  let left = total;
  const ascending = sizes.toSorted((one, other) => one - other);
  for (const [index, size] of ascending.entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}
