/**
 * The events of one feed, in the object's key-value storage. They are numbered from 1 without gaps, and stored as
 * the text that their messages end with. A page contains many events, so adding an event writes one row and rarely
 * deletes one. docs/decisions/subscriptions.md has the figures. Imports key-values and wire/.
 */
import type { Position } from '../wire/subscriptions.ts';
import type { KeyRange, KeyValues } from './key-values.ts';

/** The key of a page is this prefix, the name of the feed, and the number of the page's first event. */
const PREFIX = '__rpc_feed:';

/** A page with this many characters is full. */
const PAGE_SIZE = 2_000;

/** The limit within one append, which writes each page once. A value in the storage has at most 2 MB. */
const MAX_PAGE_SIZE = 500_000;

const NUMBER_LENGTH = 16;

interface Page {
  key: string;
  /** The value in the storage: the epoch, then the texts, with line breaks between them. JSON contains none. */
  stored: string;
  /** The number of its first event. */
  first: number;
  epoch: string;
  texts: string[];
}

export class FeedLog {
  readonly #kv: KeyValues;
  readonly #prefix: string;
  /** The last page when it was read. Rolling back a transaction can remove it. */
  #last: Page | undefined;

  /** @throws URIError for a name with half a surrogate pair */
  constructor(kv: KeyValues, name: string) {
    this.#kv = kv;
    // The encoded name contains no colon, so no prefix is the beginning of another feed's prefix.
    this.#prefix = `${PREFIX}${encodeURIComponent(name)}:`;
  }

  /** The position after the newest event. */
  get end(): Position {
    const last = this.#lastPage();
    return last ? { event: endOf(last), epoch: last.epoch } : { event: 0, epoch: '' };
  }

  /** The number of the oldest stored event; in an empty log, of the first one to come. */
  get oldest(): number {
    const [first] = this.#pages({ limit: 1 });
    return first?.first ?? 1;
  }

  /**
   * Adds events, in one row unless they are very large. Deletes pages without any of the newest events.
   *
   * @param keep - how many of the newest events to keep
   */
  append(texts: readonly string[], keep: number): void {
    let page = this.#lastPage();
    const pages = new Set<Page>();
    for (const text of texts) {
      const isFull = page && page.stored.length >= (pages.has(page) ? MAX_PAGE_SIZE : PAGE_SIZE);
      if (!page || isFull) page = this.#pageAfter(page);
      pages.add(page);
      page.texts.push(text);
      page.stored += `\n${text}`;
    }
    for (const { key, stored } of pages) this.#kv.put(key, stored);
    const isNew = page !== this.#last;
    this.#last = page;
    if (page && isNew) this.#trim(endOf(page) - keep);
  }

  /** Returns the texts of the events after number `after` and up to number `last` that are stored. */
  read(after: number, last: number): string[] {
    const newest = this.#lastPage();
    if (!newest || after >= last) return [];
    if (newest.first <= after + 1)
      return newest.texts.slice(after + 1 - newest.first).slice(0, last - after);
    // The page of the first event to read begins with this event or an earlier one.
    const [begin] = this.#pages({ end: this.#key(after + 2), reverse: true, limit: 1 });
    const options = { start: begin?.key ?? this.#key(0), end: this.#key(last + 1) };
    const pages = this.#pages(options);
    const texts = pages.flatMap((page) => page.texts);
    const skipped = after + 1 - (pages[0]?.first ?? 0);
    return texts.slice(skipped).slice(0, last - after);
  }

  #lastPage(): Page | undefined {
    const known = this.#last;
    const stored = known && this.#kv.get<string>(known.key);
    if (stored === undefined) [this.#last] = this.#pages({ reverse: true, limit: 1 });
    else if (stored !== known?.stored) this.#last = pageOf(known?.key ?? '', stored);
    return this.#last;
  }

  #pageAfter(page: Page | undefined): Page {
    const first = page ? endOf(page) + 1 : 1;
    const epoch = page?.epoch ?? randomText();
    return { key: this.#key(first), stored: epoch, first, epoch, texts: [] };
  }

  /** Deletes the pages that contain no event after number `lastDropped`. */
  #trim(lastDropped: number): void {
    for (;;) {
      const [oldest, next] = this.#pages({ limit: 2 });
      if (!oldest || !next || next.first > lastDropped + 1) return;
      this.#kv.delete(oldest.key);
    }
  }

  #pages(options: Omit<KeyRange, 'prefix'>): Page[] {
    const found = this.#kv.list<string>({ prefix: this.#prefix, ...options });
    return Array.from(found, ([key, stored]) => pageOf(key, stored));
  }

  /** Pads the number to a fixed length, so that the keys have the order of the events. */
  #key(first: number): string {
    return this.#prefix + String(first).padStart(NUMBER_LENGTH, '0');
  }
}

function pageOf(key: string, stored: string): Page {
  const [epoch = '', ...texts] = stored.split('\n');
  return { key, stored, first: Number(key.slice(-NUMBER_LENGTH)), epoch, texts };
}

/** The number of a page's last event. */
function endOf({ first, texts }: Page): number {
  return first + texts.length - 1;
}

function randomText(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number.toString(36);
}
