/** The page on costs agrees with the messages and rows that calls and events use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Cost, costTable, measureCosts } from '../../../bench/parts/costs.ts';

const PAGE = join(import.meta.dirname, '../../../docs/scale-and-cost.md');

const PLACE = /(?<=<!-- costs -->\n).*(?=<!-- \/costs -->)/s;

const [table = ''] = PLACE.exec(readFileSync(PAGE, 'utf8')) ?? [];
const shown = Array.from(table.matchAll(/^\| .* \|$/gm), ([row]) =>
  row
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.trim()),
);

/**
 * Times depend on the machine, and the number of read rows depends on the delay of a subscriber.
 */
const COUNTED = ['frames sent', 'requests', 'rows written'];

test('the table has the counted numbers', async () => {
  const [head = [], ...rows] = costTable(await measureCosts());
  expect(shown[0]).toEqual(head);
  expect(rows.length).toBe(3);
  for (const row of rows) {
    const printed = shown.find(([what]) => what === row[0]) ?? [];
    for (const name of COUNTED) {
      const column = head.indexOf(name);
      expect({ [name]: printed[column] }).toEqual({ [name]: row[column] });
    }
  }
});

test('the dollars agree with the prices', () => {
  const cost: Cost = { what: 'calls', frames: 20, rowsRead: 1000, rowsWritten: 1, seconds: 1 };
  const [head = [], row = []] = costTable([cost]);
  // 0.15 + 1 + 1 + 0.128 × 12.5
  expect(row[head.indexOf('dollars')]).toBe('3.75');
});
