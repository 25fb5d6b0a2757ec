/** Which parts of the runtime may import which. The linter reports cycles. */
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

function importsOf(file: string): string[] {
  const imports = readFileSync(join(RUNTIME, file), 'utf8').matchAll(/ from '(\.[^']+)'/g);
  return Array.from(imports, ([, path = '']) => join(dirname(file), path));
}

test.each(files)('%s imports only from the parts that it may', (file) => {
  const part = dirname(file);
  const allowed = new Set([part, ...(ALLOWED[part] ?? [])]);
  expect(importsOf(file).filter((needed) => !allowed.has(dirname(needed)))).toEqual([]);
});
