/** The table of the broadcaster, in a class that is not a Durable Object. */
export class Rows {
  constructor(sql) {
    this.sql = sql;
    this.inserted = 0;
  }

  async channels() {
    return this.sql.exec('SELECT name FROM channels').toArray();
  }

  insert(name) {
    this.inserted++;
    this.sql.exec('INSERT OR IGNORE INTO channels VALUES (?)', name);
  }
}
