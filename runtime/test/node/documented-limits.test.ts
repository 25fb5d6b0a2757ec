/** What the reference says of the limits and their defaults is what they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/server/contract/limits.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference.md');
/** A default in a cell, perhaps with its unit. */
const DEFAULT = /^([\d ]*\d|no limit)(?: \(.*\))?$/;

/** The limits that the page's table lists, with their defaults. */
function limitsIn(page: string): Record<string, number> {
  const [, section = ''] = /^### `limits`\n(.*?)(?=^#)/ms.exec(page) ?? [];
  const rows = section.matchAll(/^\| `(\w+)` +\|(.*)\|$/gm);
  return Object.fromEntries(
    Array.from(rows, ([, name, cells = '']) => {
      const found = cells.split('|').map((cell) => DEFAULT.exec(cell.trim())?.[1]);
      const value = found.find((one) => one !== undefined) ?? 'none';
      return [name, value === 'no limit' ? Infinity : Number(value.replaceAll(' ', ''))];
    }),
  );
}

test('it lists every limit with its default', () => {
  expect(limitsIn(readFileSync(PAGE, 'utf8'))).toEqual(DEFAULT_LIMITS);
});
