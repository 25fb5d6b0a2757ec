/** The reference and the comments of the options name the real defaults of limits and options. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileContract } from '../../src/server.ts';
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';

const SERVER = join(import.meta.dirname, '../../src/server');
const PAGE = join(import.meta.dirname, '../../docs/reference.md');
/** A default in a cell, optionally with its unit. */
const DEFAULT = /^([\d ]*\d|no limit)(?: \(.*\))?$/;

/** Returns the limits in the page's table, with their defaults. */
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

test('the reference lists every limit with its default', () => {
  expect(limitsIn(readFileSync(PAGE, 'utf8'))).toEqual(DEFAULT_LIMITS);
});

/** Returns the defaults that the comments of an interface name, by property. */
function documented(file: string, type: string): [property: string, value: unknown][] {
  const source = readFileSync(join(SERVER, file), 'utf8');
  const [, body = ''] = new RegExp(`interface ${type} \\{\n(.*?)\n\\}`, 's').exec(source) ?? [];
  const properties = body.matchAll(/\/\*\*(.*?)\*\/\s*(\w+)\??:/gs);
  return Array.from(properties, ([, comment = '', property = '']): [string, unknown] => {
    const [, value = ''] =
      /Default ([\d ]+\d|true|false|no limit)/.exec(comment.replaceAll(/\s+\*?\s*/g, ' ')) ?? [];
    if (value === 'no limit') return [property, Infinity];
    return [property, value && JSON.parse(value.replaceAll(' ', ''))];
  }).filter(([, value]) => value !== '');
}

const { limits, ...options } = compileContract({});

test.each([
  ['base/limits.ts', 'Limits', limits, Object.keys(limits).length],
  ['contract/options.ts', 'ContractOptions', options, 6],
] as const)('%s', (file, type, values, count) => {
  const found = documented(file, type);
  expect(found).toHaveLength(count);
  for (const [property, value] of found) expect(values, property).toHaveProperty(property, value);
});
