/** The cards of a board, in a table. The code that uses the cards checks the permissions. */
import { type Card, type Lane, LANES, type Lanes, moved } from './board-moves.ts';

export const CARDS = `CREATE TABLE cards (
  id TEXT PRIMARY KEY, title TEXT NOT NULL, lane TEXT NOT NULL, position INTEGER NOT NULL,
  file TEXT, key TEXT
) STRICT`;

/** The rest of a row: the name of the card's file, and the key of the file in R2. */
type Row = { title: string; file: string | null; key: string | null };

export class Cards {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  lanes(): Lanes {
    const cardsIn = (lane: Lane): Card[] =>
      this.#sql
        .exec<Card>('SELECT id, title, file FROM cards WHERE lane = ? ORDER BY position', lane)
        .toArray();
    return { todo: cardsIn('todo'), doing: cardsIn('doing'), done: cardsIn('done') };
  }

  find(id: string): Row | undefined {
    return this.#sql.exec<Row>('SELECT * FROM cards WHERE id = ?', id).toArray()[0];
  }

  get(id: string): Row {
    const card = this.find(id);
    if (!card) throw new Error('The card does not exist. Another member may have removed it');
    return card;
  }

  add(title: string): void {
    this.#sql.exec(
      `INSERT INTO cards (id, title, lane, position)
       SELECT ?, ?, 'todo', count(*) FROM cards WHERE lane = 'todo'`,
      crypto.randomUUID(),
      title,
    );
  }

  /** Writes the rows whose lane or position has changed. */
  move(id: string, lane: Lane, before?: string): void {
    const after = moved(this.lanes(), id, lane, before);
    for (const to of LANES)
      for (const [position, card] of after[to].entries())
        this.#sql.exec(
          'UPDATE cards SET lane = ?1, position = ?2 WHERE id = ?3 AND (lane, position) != (?1, ?2)',
          to,
          position,
          card.id,
        );
  }

  setFile(id: string, name: string, key: string): void {
    this.#sql.exec('UPDATE cards SET file = ?, key = ? WHERE id = ?', name, key, id);
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM cards WHERE id = ?', id);
  }
}
