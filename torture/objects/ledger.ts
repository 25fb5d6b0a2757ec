/**
 * An object that records every call that it runs, so that lost and doubled calls of every kind can be found. Other
 * methods are for measurements of time and memory.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../runtime/src/typebox.ts';
import { checksum } from './checksum.ts';
import type { RunRecord } from '../clients/evidence.ts';
import { read } from '../../runtime/src/server.ts';

/** The place of the runtime's journal: a prefix of keys, and a table for segments. */
const JOURNAL = '__rpc_journal';
const SEGMENTS = '__rpc_answers';

/** The number of rows of the record in one answer. */
const PAGE = 20_000;

export class LedgerImpl extends DurableObject<Env> {
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS calls (token TEXT PRIMARY KEY, begun INTEGER, ended INTEGER, value INTEGER)',
    );
    ctx.storage.kv.put('lives', this.lives() + 1);
  }

  increment(token: string): number {
    this.#begin(token);
    return this.#end(token, this.count());
  }

  /** Begins in one turn and counts in another. */
  async incrementLate(token: string, milliseconds: number): Promise<number> {
    this.#begin(token);
    await scheduler.wait(milliseconds);
    return this.#end(token, this.count());
  }

  /** Takes the results of other calls. */
  add(token: string, one: number, other: number): number {
    this.#begin(token);
    return this.#end(token, one + other);
  }

  echo(token: string, bytes: Uint8Array): Uint8Array {
    this.#begin(token);
    this.#end(token, checksum(bytes));
    return bytes;
  }

  /** Returns a page of the records after a row. */
  record(after: number): RunRecord[] {
    return this.page('SELECT rowid AS row, * FROM calls WHERE rowid > ? ORDER BY rowid', after);
  }

  /** Adds one, and records nothing else. It is the cheapest call that changes the object. */
  count(): number {
    const value = (this.ctx.storage.kv.get<number>('count') ?? 0) + 1;
    this.ctx.storage.kv.put('count', value);
    return value;
  }

  /** Adds one in an asynchronous method that ends in the turn in which it began. */
  async countLate(): Promise<number> {
    return this.count();
  }

  text(length: number): string {
    return 'x'.repeat(length);
  }

  readText(length: number): string {
    return this.text(length);
  }

  /** Accepts any value, and does nothing with it. */
  weigh(value: unknown): string {
    return typeof value;
  }

  /** Waits until a gate is opened. */
  async wait(gate: string): Promise<void> {
    await this.#gate(gate).promise;
  }

  async linger(milliseconds: number): Promise<void> {
    await scheduler.wait(milliseconds);
  }

  openGate(gate: string): void {
    this.#gate(gate).resolve();
    this.#gates.delete(gate);
  }

  /** Returns the number of characters of the journal's longest row, in its keys or its table. */
  longestRow(): number {
    const { kv, sql } = this.ctx.storage;
    const keys = Array.from(kv.list({ prefix: `${JOURNAL}:` }), ([, row]) => row);
    const [table] = sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', SEGMENTS).toArray();
    const rows = table ? sql.exec(`SELECT * FROM ${SEGMENTS}`).toArray() : [];
    return Math.max(0, ...[...keys, ...rows].map((row) => JSON.stringify(row).length));
  }

  /** Returns how often the object has been constructed: once, and again after each eviction. */
  lives(): number {
    return this.ctx.storage.kv.get<number>('lives') ?? 0;
  }

  /** @param query - selects the rows after a row */
  protected page<Row>(query: string, after: number): Row[] {
    return this.ctx.storage.sql.exec(`${query} LIMIT ?`, after, PAGE).toArray() as Row[];
  }

  /** Called at the end of each execution, in the same turn. */
  protected ran(_token: string): void {}

  #begin(token: string): void {
    this.ctx.storage.sql.exec(
      'INSERT INTO calls VALUES (?, 1, 0, NULL) ON CONFLICT (token) DO UPDATE SET begun = begun + 1',
      token,
    );
  }

  #end(token: string, value: number): number {
    this.ctx.storage.sql.exec(
      'UPDATE calls SET ended = ended + 1, value = ? WHERE token = ?',
      value,
      token,
    );
    this.ran(token);
    return value;
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }
}

const token = Type.String({ maxLength: 40 });
const milliseconds = Type.Number({ minimum: 0, maximum: 3_600_000 });
const bytes = Type.Unsafe<Uint8Array>({});

export const ledgerContract = {
  increment: [token],
  incrementLate: [token, milliseconds],
  add: [token, Type.Number(), Type.Number()],
  echo: [token, bytes],
  record: read([Type.Integer()]),
  count: [],
  countLate: [],
  text: [Type.Integer()],
  readText: read([Type.Integer()]),
  weigh: read([Type.Unknown()]),
  wait: [Type.String()],
  linger: [milliseconds],
  openGate: read([Type.String()]),
  longestRow: read(),
  lives: read(),
} as const;
