/** Scores in SQL, with a copy of the highest scores in memory that any change discards. */
import * as platform from 'cloudflare:workers';

interface Row extends Record<string, SqlStorageValue> {
  player: string;
  score: number;
}

export class Leaderboard extends platform.DurableObject<Env> {
  private top: Row[] | undefined;
  private readonly nameCache = new Map<string, string>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.migrate();
  }

  submit(player: string, score: number): number {
    this.ctx.storage.sql.exec(
      `INSERT INTO scores VALUES (?1, ?2)
       ON CONFLICT (player) DO UPDATE SET score = max(score, ?2)`,
      player,
      score,
    );
    this.top = undefined;
    return this.rank(player);
  }

  best(): Row[] {
    return (this.top ??= this.ctx.storage.sql
      .exec<Row>('SELECT * FROM scores ORDER BY score DESC LIMIT 10')
      .toArray());
  }

  rank(player: string): number {
    const { n } = this.ctx.storage.sql
      .exec<{ n: number }>(
        'SELECT count(*) AS n FROM scores WHERE score > (SELECT score FROM scores WHERE player = ?)',
        player,
      )
      .one();
    return n + 1;
  }

  async displayName(player: string): Promise<string> {
    const known = this.nameCache.get(player);
    if (known) return known;
    const response = await fetch(`https://names.example/${player}`);
    const name = await response.text();
    this.nameCache.set(player, name);
    return name;
  }

  private migrate(): void {
    this.ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS scores (player TEXT PRIMARY KEY, score INTEGER)',
    );
  }
}
