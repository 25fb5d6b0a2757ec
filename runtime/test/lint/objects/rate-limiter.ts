/** A sliding window for each key. Times become buckets and deadlines, never ids. */
import { DurableObject as Base } from 'cloudflare:workers';

const WINDOW = 60_000;

export class RateLimiter extends Base {
  #kv = this.ctx.storage.kv;

  take(key: string, limit: number): { allowed: boolean; retryAfter: number } {
    const now = Date.now();
    const bucketKey = `${key}:${Math.floor(now / WINDOW)}`;
    const previousKey = `${key}:${Math.floor(Date.now() / WINDOW) - 1}`;
    const used = (this.#kv.get<number>(bucketKey) ?? 0) + this.#share(previousKey, now);
    if (used >= limit) return { allowed: false, retryAfter: WINDOW - (now % WINDOW) };
    this.#kv.put(bucketKey, (this.#kv.get<number>(bucketKey) ?? 0) + 1);
    return { allowed: true, retryAfter: 0 };
  }

  #share(key: string, now: number): number {
    return (this.#kv.get<number>(key) ?? 0) * (1 - (now % WINDOW) / WINDOW);
  }

  override async alarm(): Promise<void> {
    const oldest = Math.floor(Date.now() / WINDOW) - 1;
    for (const [key] of this.#kv.list()) {
      if (Number(key.split(':').at(-1)) < oldest) this.#kv.delete(key);
    }
    await this.ctx.storage.setAlarm(Date.now() + WINDOW);
  }
}
