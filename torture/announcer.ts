/**
 * A ledger that says what it runs: to those who follow its feeds and its live value, and in a table in
 * which it can be read afterwards what they should have heard. Imports ledger and template/src/rpc.
 */
import { Type } from 'typebox';
import { type Feed, feed } from '../template/src/rpc/server.ts';
import { LedgerImpl, ledgerContract, PAGE } from './ledger.ts';

/** The end of one execution. They are numbered from 1. */
export interface Announcement {
  row: number;
  token: string;
}

/** One more, or how many there are. */
export type Tally = { row: number } | { all: number };

/** How many events the feed holds that nobody may fall out of: more than there are. */
const ALL = 10_000_000;
/** How many the other one does. */
const FEW = 100;

/** So often two events are appended at once, and so often what was appended is taken back. */
const TWICE = 7;
const IN_VAIN = 11;

export class AnnouncerImpl extends LedgerImpl {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS announced (row INTEGER PRIMARY KEY, token TEXT)',
    );
  }

  /** Every execution, in the order of their ends. */
  runs(): Feed<Announcement> {
    return feed(this, 'runs', { keep: ALL });
  }

  /** Of which only the newest are held, so that who falls behind begins with how many there are. */
  tally(): Feed<Tally> {
    return feed(this, 'tally', { keep: FEW, snapshot: () => ({ all: this.total() }) });
  }

  /** Of what `fill` appends. */
  bulk(): Feed<string> {
    return feed(this, 'bulk');
  }

  /**
   * Appends events one by one.
   *
   * @returns how many rows that wrote
   */
  fill(count: number, length: number): number {
    const before = this.rowsWritten();
    for (let left = count; left > 0; left--) this.bulk().append('x'.repeat(length));
    return this.rowsWritten() - before;
  }

  /** What `count` has come to. */
  counted(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  /** In this life of the object, the journal's among them. */
  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }

  total(): number {
    return this.ctx.storage.kv.get<number>('total') ?? 0;
  }

  /** Some of what has been announced: what follows a row. */
  announced(after: number): Announcement[] {
    return this.ctx.storage.sql
      .exec<Pick<Announcement, keyof Announcement>>(
        'SELECT * FROM announced WHERE row > ? ORDER BY row LIMIT ?',
        after,
        PAGE,
      )
      .toArray();
  }

  protected override ran(token: string): void {
    const row = this.total() + 1;
    if (row % IN_VAIN === 0) this.#announceInVain();
    this.#announce(row % TWICE === 0 ? [token, `${token} again`] : [token]);
  }

  #announce(tokens: readonly string[]): void {
    const { kv, sql } = this.ctx.storage;
    const before = this.total();
    const news = tokens.map((token, index) => ({ row: before + 1 + index, token }));
    for (const { row, token } of news) sql.exec('INSERT INTO announced VALUES (?, ?)', row, token);
    kv.put('total', before + news.length);
    this.runs().append(...news);
    this.tally().append(...news.map(({ row }) => ({ row })));
  }

  /** Nobody may ever hear of it. */
  #announceInVain(): void {
    const announce = (): never => {
      this.#announce(['in vain']);
      throw new RangeError('taken back');
    };
    try {
      this.ctx.storage.transactionSync(announce);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

export const announcerContract = {
  ...ledgerContract,
  runs: { input: [], readonly: true },
  tally: { input: [], readonly: true },
  total: { input: [], readonly: true, live: true },
  announced: { input: [Type.Integer()], readonly: true },
  bulk: { input: [], readonly: true },
  fill: [Type.Integer(), Type.Integer()],
  counted: { input: [], readonly: true, live: true },
  rowsWritten: { input: [], readonly: true },
} as const;
