/**
 * The events of one feed, in the object's key-value storage. They are numbered from 1 without gaps, and stored as the
 * text that their messages end with. A row contains a page of many events, so adding an event writes one row and rarely
 * deletes a row. docs/decisions/subscriptions-and-streams.md has the figures.
 *
 * Events can disappear after they were sent: a transaction is rolled back, the storage is emptied, or it is restored
 * to an earlier time. Other events then get their numbers. So each event belongs to an epoch, a random text, and a
 * position names the epoch of its event. The first event that is added after the object woke begins an epoch. So does the
 * first event that is added after this log has found that the storage does not have the events that it wrote.
 */
import type { KeyValues } from '../../../server/feature.ts';
import type { Position } from '../../subscriptions/wire.ts';

/** The key of a page is this prefix, the name of the feed, and the number of the page's first event. */
export const PREFIX = '__rpc_feed:';

/** A page with this many characters is full. */
const PAGE_SIZE = 2_000;

/** The maximum size of a page that one append fills. A value in the storage has at most 2 MB. */
const MAX_PAGE_SIZE = 500_000;

const NUMBER_LENGTH = 16;

/** The first character of a line that is an epoch. The text of an event begins with a comma, or is empty. */
const EPOCH_MARK = '.';

interface Page {
  key: string;
  /**
   * The value in the storage: the epoch of the event before the page, then the texts of the events, separated by line
   * breaks, which JSON text does not contain. Where another epoch begins, it is a line before its first text.
   */
  stored: string;
  /** The number of the first event of the page. */
  first: number;
  texts: string[];
  /** The epochs by their first event in the page, in order. The first of the epochs is that of the event before this
   * page of stored events. */
  epochs: Map<number, string>;
  /** The last of the epochs. */
  epoch: string;
}

/** An event as it is stored. */
export interface LoggedEvent extends Position {
  text: string;
}

/** Consecutive events, and the epochs that begin among them. */
export interface LogSection {
  /** The epoch of the event before these events; `undefined` if that event is no longer stored. */
  before: string | undefined;
  texts: string[];
  /** The epochs by the number of their first event. */
  epochs: Map<number, string>;
}

export class FeedLog {
  readonly #kv: KeyValues;
  readonly #prefix: string;
  /** The last page when it was read. Rolling back a transaction can remove it. */
  #last: Page | undefined;
  /** The epoch of the events that are added; `undefined` if the next event begins an epoch. */
  #epoch: string | undefined;

  /** @throws URIError for a name with half a surrogate pair */
  constructor(kv: KeyValues, name: string) {
    this.#kv = kv;
    this.#prefix = prefixOf(name);
  }

  /** Begins an epoch in an empty log, so that no position in it is mistaken for a position of another log. */
  protected begin(): void {
    this.#kv.put(this.#key(1), randomText());
  }

  /** Returns the position after the newest event. */
  get end(): Position {
    const last = this.#lastPage();
    return last ? { event: endOf(last), epoch: last.epoch } : { event: 0, epoch: '' };
  }

  /** Returns the epoch of an event; `undefined` if the next event is not stored any more. */
  epochOf(event: number): string | undefined {
    const [page] = this.#pagesWith(event, event);
    return this.#epochIn(page, event);
  }

  /**
   * Adds events, in one row unless they are very large. Deletes pages without any of the newest events.
   *
   * @param keep - the number of the newest events to keep
   */
  append(texts: readonly string[], keep: number): void {
    let page = this.#lastPage();
    // This comes after the last page was read, because reading it may show that an epoch has to begin.
    const epoch = (this.#epoch ??= randomText());
    const pages = new Set<Page>();
    for (const text of texts) {
      const isFull = page && page.stored.length >= (pages.has(page) ? MAX_PAGE_SIZE : PAGE_SIZE);
      if (!page || isFull) page = this.#pageAfter(page);
      pages.add(page);
      if (page.epoch !== epoch) {
        page.stored += `\n${EPOCH_MARK}${epoch}`;
        page.epochs.set(endOf(page) + 1, (page.epoch = epoch));
      }
      page.texts.push(text);
      page.stored += `\n${text}`;
    }
    for (const { key, stored } of pages) this.#kv.put(key, stored);
    const isNew = page !== this.#last;
    this.#last = page;
    if (page && isNew) this.#trim(endOf(page) - keep);
  }

  /** Returns the stored events after number `after` and up to number `last`. */
  read(after: number, last: number): LogSection {
    const pages = this.#pagesWith(after, last);
    const [begin] = pages;
    const before = this.#epochIn(begin, after);
    const texts = pages.flatMap((page) => page.texts);
    const skipped = after + 1 - (begin?.first ?? 0);
    const epochs = new Map<number, string>();
    for (const page of pages) {
      for (const [first, epoch] of page.epochs) {
        if (first > after && first <= last && first >= page.first) epochs.set(first, epoch);
      }
    }
    return { before, texts: texts.slice(skipped).slice(0, last - after), epochs };
  }

  /**
   * Yields the stored events after number `after` and up to number `last`. It reads a row when the first event of the row
   * is requested. No other code may list the storage before the last event was requested.
   *
   * @param reverse - whether the newest event comes first
   */
  *events(after: number, last: number, reverse: boolean): Generator<LoggedEvent, undefined> {
    const start = reverse ? undefined : this.#pageWith(after)?.key;
    const range = { ...(start !== undefined && { start }), end: this.#key(last + 1), reverse };
    for (const [key, stored] of this.#kv.list<string>({ prefix: this.#prefix, ...range })) {
      const page = pageOf(key, stored);
      const [from, to] = [Math.max(page.first, after + 1), Math.min(endOf(page), last)];
      for (let index = from; index <= to; index++) {
        const event = reverse ? from + to - index : index;
        const text = page.texts[event - page.first] as string;
        yield { event, epoch: epochAt(page, event) ?? '', text };
      }
      if (reverse && page.first <= after + 1) return;
    }
  }

  /**
   * Returns the epoch of an event.
   *
   * @param page - the page of the next event, if it is stored
   */
  #epochIn(page: Page | undefined, event: number): string | undefined {
    if (page) return epochAt(page, event);
    // An empty log has no epoch yet.
    return this.#last ? undefined : '';
  }

  /** Returns the pages with the stored events after number `after` and up to number `last`. */
  #pagesWith(after: number, last: number): Page[] {
    const newest = this.#lastPage();
    if (!newest) return [];
    if (newest.first <= after + 1) return [newest];
    const begin = this.#pageWith(after);
    if (!begin || after >= last) return begin ? [begin] : [];
    return this.#pages({ start: begin.key, end: this.#key(last + 1) });
  }

  /** Returns the page with the event after number `after`, or the last page if that event does not exist yet. */
  #pageWith(after: number): Page | undefined {
    // The page begins with this event or with an earlier event.
    return this.#pages({ end: this.#key(after + 2), reverse: true, limit: 1 })[0];
  }

  #lastPage(): Page | undefined {
    const known = this.#last;
    const stored = known && this.#kv.get<string>(known.key);
    if (known && stored === known.stored) return known;
    // The events that this log wrote are gone, and may have been sent.
    this.#epoch = undefined;
    // The pages are listed even if there is a page with that key, because a restored storage can have later pages.
    [this.#last] = this.#pages({ reverse: true, limit: 1 });
    return this.#last;
  }

  #pageAfter(page: Page | undefined): Page {
    const first = page ? endOf(page) + 1 : 1;
    return pageOf(this.#key(first), page?.epoch ?? '');
  }

  /** Deletes the pages that contain no event after number `lastDropped`. */
  #trim(lastDropped: number): void {
    for (;;) {
      const [oldest, next] = this.#pages({ limit: 2 });
      if (!oldest || !next || next.first > lastDropped + 1) return;
      this.#kv.delete(oldest.key);
    }
  }

  #pages(options: Omit<Parameters<KeyValues['list']>[0], 'prefix'>): Page[] {
    const found = this.#kv.list<string>({ prefix: this.#prefix, ...options });
    return Array.from(found, ([key, stored]) => pageOf(key, stored));
  }

  #key(first: number): string {
    return keyOf(this.#prefix, first);
  }
}

/** Returns the prefix of the keys of a feed's pages. */
function prefixOf(name: string): string {
  // The encoded name contains no colon, so no prefix is the beginning of another feed's prefix.
  return `${PREFIX}${encodeURIComponent(name)}:`;
}

/** Returns the key of the page that begins with an event. */
function keyOf(prefix: string, first: number): string {
  // The number is padded to a fixed length, so that the keys have the order of the events.
  return prefix + String(first).padStart(NUMBER_LENGTH, '0');
}

/** Returns the number of the first event of a page. */
export function firstOf(key: string): number {
  return Number(key.slice(-NUMBER_LENGTH));
}

function pageOf(key: string, stored: string): Page {
  const first = firstOf(key);
  const [before = '', ...lines] = stored.split('\n');
  const epochs = new Map([[first - 1, before]]);
  const texts: string[] = [];
  let epoch = before;
  for (const line of lines) {
    if (line.startsWith(EPOCH_MARK)) epochs.set(first + texts.length, (epoch = line.slice(1)));
    else texts.push(line);
  }
  return { key, stored, first, texts, epochs, epoch };
}

/** Returns the number of a page's last event. */
function endOf({ first, texts }: Page): number {
  return first + texts.length - 1;
}

/** Returns the epoch of an event of a page, or of the event before the page. */
function epochAt({ epochs }: Page, event: number): string | undefined {
  let found: string | undefined;
  for (const [first, epoch] of epochs) {
    if (first > event) break;
    found = epoch;
  }
  return found;
}

function randomText(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number.toString(36);
}
