/** Which parts of the runtime may import which, and that no file imports itself by others, other than for types. */
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

const IMPORT = / from '(\.[^']+)'/g;
/** One that is left when types are removed. */
const RUNNING = /^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm;

function importsOf(file: string, pattern = IMPORT): string[] {
  const imports = readFileSync(join(RUNTIME, file), 'utf8').matchAll(pattern);
  return Array.from(imports, ([, path = '']) => join(dirname(file), path));
}

/** A way from a file to itself, if there is one. */
function cycleOf(file: string): string[] | undefined {
  const seen = new Set<string>();
  const from = (way: string[]): string[] | undefined => {
    for (const next of importsOf(way.at(-1) ?? '', RUNNING)) {
      if (next === file) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = from([...way, next]);
      if (found) return found;
    }
    return undefined;
  };
  return from([file]);
}

test.each(files)('%s imports only from the parts that it may', (file) => {
  const part = dirname(file);
  const allowed = new Set([part, ...(ALLOWED[part] ?? [])]);
  expect(importsOf(file).filter((needed) => !allowed.has(dirname(needed)))).toEqual([]);
});

test.each(files)('%s does not import itself by others', (file) => {
  expect(cycleOf(file)).toBeUndefined();
});
