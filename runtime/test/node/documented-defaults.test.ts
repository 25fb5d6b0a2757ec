/** The defaults that the comments of options name, which the reference repeats: those that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileContract } from '../../src/server.ts';

const SERVER = join(import.meta.dirname, '../../src/server/contract');

/** The comments of an interface's properties that name a default, by property. */
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
  ['limits.ts', 'Limits', limits, Object.keys(limits).length],
  ['options.ts', 'ContractOptions', options, 6],
] as const)('%s', (file, type, values, count) => {
  const found = documented(file, type);
  expect(found).toHaveLength(count);
  for (const [property, value] of found) expect(values, property).toHaveProperty(property, value);
});
