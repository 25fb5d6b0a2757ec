/** What the runtime's README says of its files: their order, and which may import which. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const RUNTIME = join(import.meta.dirname, '../../template/src/rpc');
const PARTS = ['wire', 'server', 'client'];

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

test.each(files)('%s imports its own part and wire only', (file) => {
  const allowed = new Set(['wire', dirname(file)]);
  expect(importsOf(file).filter((needed) => !allowed.has(dirname(needed)))).toEqual([]);
});
