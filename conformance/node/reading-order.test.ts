/** What the runtime's README says of its files: their order, and which may import which. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const RUNTIME = join(import.meta.dirname, '../../runtime/src');
const PARTS = ['wire', 'server', 'client', 'debug'];

/** What the files of a part may import besides their own part. */
const ALLOWED: Record<string, readonly string[]> = {
  server: ['wire'],
  client: ['wire'],
  // Of the two ends it takes types only, and so it can be given to either as an option.
  debug: ['wire', 'server', 'client'],
};

const files = PARTS.flatMap((part) =>
  readdirSync(join(RUNTIME, part)).map((file) => `${part}/${file}`),
);

const order = [
  ...readFileSync(join(RUNTIME, 'README.md'), 'utf8').matchAll(/^\| `([^`]+\.ts)`/gm),
].map(([, file = '']) => file);

function importsOf(file: string): string[] {
  const imports = readFileSync(join(RUNTIME, file), 'utf8').matchAll(/ from '(\.[^']+)'/g);
  return Array.from(imports, ([, path = '']) => join(dirname(file), path));
}

test('the reading order names every file once', () => {
  expect(order.toSorted()).toEqual(files.toSorted());
});

test.each(order)('%s needs only files above it', (file) => {
  const above = new Set(order.slice(0, order.indexOf(file)));
  expect(importsOf(file).filter((needed) => !above.has(needed))).toEqual([]);
});

test.each(files)('%s imports only from the parts that it may', (file) => {
  const part = dirname(file);
  const allowed = new Set([part, ...(ALLOWED[part] ?? [])]);
  expect(importsOf(file).filter((needed) => !allowed.has(dirname(needed)))).toEqual([]);
});
