/** The log of a volatile feed. It is only in memory, so hibernation and restarts lose it. */
import { type CacheItem, MemoryValues } from '../../../server/feature.ts';
import { FeedLog } from './feed-log.ts';

/** The pages of the log, and their size. */
class Pages extends MemoryValues {
  /** The size of the pages, in characters. */
  size = 0;

  override put(key: string, page: string): void {
    this.size += page.length - (this.get<string>(key)?.length ?? 0);
    super.put(key, page);
  }

  override delete(key: string): boolean {
    this.size -= this.get<string>(key)?.length ?? 0;
    return super.delete(key);
  }
}

export class VolatileLog extends FeedLog implements CacheItem {
  readonly #pages: Pages;

  constructor(name: string) {
    const pages = new Pages();
    super(pages, name);
    this.#pages = pages;
    this.begin();
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Drops the older half of the events, or all events if `isAll`. A subscriber that needs one of them learns of a gap. */
  giveWay(isAll?: boolean): void {
    const keys = Array.from(this.#pages.list({ prefix: '' }), ([key]) => key);
    for (const key of keys.slice(0, isAll ? undefined : Math.ceil(keys.length / 2)))
      this.#pages.delete(key);
  }
}
