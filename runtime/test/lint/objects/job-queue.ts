/** A queue with retries. An alarm starts due jobs, and the random delay is not an id. */
import { DurableObject } from 'cloudflare:workers';

type Job = { id: string; url: string; attempt: number; due: number };

abstract class QueueBase extends DurableObject<Env> {
  protected readonly sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    this.sql = storage.sql;
    this.sql.exec(`CREATE TABLE IF NOT EXISTS jobs
      (id TEXT PRIMARY KEY, url TEXT, attempt INTEGER, due INTEGER)`);
  }

  protected abstract run(job: Job): Promise<boolean>;
}

export class JobQueue extends QueueBase {
  private abort: AbortController | undefined;

  async enqueue(url: string): Promise<string> {
    const id = crypto.randomUUID();
    this.sql.exec('INSERT INTO jobs VALUES (?, ?, 0, ?)', id, url, Date.now());
    await this.schedule();
    return id;
  }

  size(): number {
    return this.sql.exec<{ n: number }>('SELECT count(*) AS n FROM jobs').one().n;
  }

  override async alarm(): Promise<void> {
    const due = this.sql.exec<Job>('SELECT * FROM jobs WHERE due <= ?', Date.now()).toArray();
    for (const job of due) {
      if (await this.run(job)) this.sql.exec('DELETE FROM jobs WHERE id = ?', job.id);
      else this.retry(job);
    }
    await this.schedule();
  }

  cancel(): void {
    this.abort?.abort();
  }

  protected async run(job: Job): Promise<boolean> {
    this.abort = new AbortController();
    const response = await fetch(job.url, { signal: this.abort.signal });
    return response.ok;
  }

  private retry({ id, attempt }: Job): void {
    const due = Date.now() + 2 ** attempt * 1000 * Math.random();
    this.sql.exec('UPDATE jobs SET attempt = attempt + 1, due = ? WHERE id = ?', due, id);
  }

  private async schedule(): Promise<void> {
    const next = this.sql
      .exec<{ due: number | null }>('SELECT min(due) AS due FROM jobs')
      .one().due;
    if (next === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(next);
  }
}
