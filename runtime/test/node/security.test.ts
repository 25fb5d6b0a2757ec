/** What docs/security.md says of defaults is what they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/server/contract/limits.ts';

/** The limits that a page's table lists, with their defaults. */
function limitsIn(page: string): Record<string, number> {
  const text = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ([\d ]+?|none) +\|/gm)];
  return Object.fromEntries(
    rows.map(([, name, value = '']) => [
      name,
      value === 'none' ? Infinity : Number(value.replaceAll(' ', '')),
    ]),
  );
}

test('it lists every limit with its default', () => {
  expect(limitsIn('docs/security.md')).toEqual(DEFAULT_LIMITS);
});
