/**
 * A ledger that announces its executions in feeds and a live value. It also stores them in a table, as the events that
 * subscribers should have received.
 */
import * as Type from '../../runtime/src/typebox.ts';
import { events, feed, type Feed, type FeedPage, live, read } from '../../runtime/src/server.ts';
import { LedgerImpl, ledgerContract } from './ledger.ts';

/** The end of an execution. The ends are numbered from 1. */
export interface Announcement {
  row: number;
  token: string;
}

/** One more announcement, or the number of all announcements. */
export type Tally = { row: number } | { all: number };

/** The number of events that the feed `runs` keeps. A run has fewer events, so no subscriber misses an event. */
const ALL = 10_000_000;
/** The number of events that the feed `tally` keeps. */
const FEW = 100;

/** At every 7th row, two events are appended at once. At every 11th row, an append is rolled back. */
const TWICE = 7;
const IN_VAIN = 11;

export class AnnouncerImpl extends LedgerImpl {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS announced (row INTEGER PRIMARY KEY, token TEXT)',
    );
  }

  /** Returns a feed with every execution, in the order of their ends. */
  runs(): Feed<Announcement> {
    return feed(this, 'runs', { keep: ALL });
  }

  /** Returns a page of `runs`. */
  history(before?: string): FeedPage<Announcement> {
    return this.runs().read({ before, limit: 50 });
  }

  /**
   * Returns a feed that keeps only the newest events. A subscriber that falls behind gets a snapshot: the number of all
   * events.
   */
  tally(): Feed<Tally> {
    return feed(this, 'tally', { keep: FEW, snapshot: () => ({ all: this.total() }) });
  }

  /** Returns a feed with the events that `fill` appends. */
  bulk(): Feed<string> {
    return feed(this, 'bulk');
  }

  /**
   * Appends events one by one.
   *
   * @returns the number of rows written
   */
  fill(count: number, length: number): number {
    const before = this.rowsWritten();
    for (let left = count; left > 0; left--) this.bulk().append('x'.repeat(length));
    return this.rowsWritten() - before;
  }

  /** Returns the current value of `count`. */
  counted(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  /** Returns the number of rows written since the object was constructed, including the journal's. */
  rowsWritten(): number {
    return this.ctx.storage.sql.exec('SELECT total_changes() AS rows').one()['rows'] as number;
  }

  total(): number {
    return this.ctx.storage.kv.get<number>('total') ?? 0;
  }

  /** Returns a page of the announcements after a row. */
  announced(after: number): Announcement[] {
    return this.page('SELECT * FROM announced WHERE row > ? ORDER BY row', after);
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

  /** Appends in a transaction that is rolled back. No subscriber may receive the event. */
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
  runs: events(),
  history: read([Type.Optional(Type.String({ maxLength: 50 }))]),
  tally: events(),
  total: live(),
  announced: read([Type.Integer()]),
  bulk: events(),
  fill: [Type.Integer(), Type.Integer()],
  counted: live(),
  rowsWritten: read(),
} as const;
