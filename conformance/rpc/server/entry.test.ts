/** What an object remembers of a client: when it is written. */
import { expect, test } from 'vitest';
import { Entry, type Row } from '../../../template/src/rpc/server/entry.ts';

test('an answer that comes late is given when it is written', async () => {
  const rows: Row[] = [];
  const entry = new Entry((row) => rows.push(row), undefined, 0, undefined);
  for (const id of [1, 2]) entry.begin(id);
  // While another call runs, the end of the turn is waited for.
  void entry.expect(2, new Promise(() => {}));
  expect(await entry.expect(1, Promise.resolve('[1,5]'))).toBe('[1,5]');
  expect(rows.map(({ answers }) => answers)).toEqual(['[1,5]']);
});

test('a client whose calls have ended is not waited for', async () => {
  const entry = new Entry(() => {}, undefined, 0, undefined);
  let idle = 0;
  entry.onIdle = () => idle++;
  entry.begin(1);
  const answered = entry.expect(1, Promise.resolve('[1,5]'));
  expect(entry.isBusy).toBe(true);
  await answered;
  expect(entry.isBusy).toBe(false);
  expect(idle).toBe(1);
});
