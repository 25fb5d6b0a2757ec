/** Tests the schemas of the examples in each library: no file keeps a schema of TypeBox, and each keeps its format. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EXAMPLES, filesOf } from '../../examples.mjs';
import { LIBRARIES } from '../../schemas/choose-library.mjs';
import { translated } from '../../schemas/translations.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = Object.values(EXAMPLES).flatMap((example) =>
  Array.from(filesOf(example), ([path, source]) => ({
    path: `${example.name}/${path}`,
    text: readFileSync(source, 'utf8'),
  })).filter(({ path }) => path.endsWith('.ts')),
);
const OTHERS = [
  ...Object.keys(LIBRARIES)
    .filter((name) => name !== 'typebox')
    .map((name) => ({ name, isZod3: false })),
  { name: 'zod', isZod3: true },
];

test('the examples stay as they are with TypeBox', () => {
  for (const { text } of SOURCES) expect(translated(text, { name: 'typebox' })).toBe(text);
});

test.each(OTHERS)('with $name (version 3: $isZod3), no schema of TypeBox is left', (library) => {
  for (const { path, text } of SOURCES) {
    const own = translated(text, library);
    expect(own, path).not.toMatch(/\bType\.|typebox|TypeBox|\$\d/);
    expect(own === text, path).toBe(!/\bType\./.test(text));
  }
});

test('formats each addition like the examples', () => {
  const folder = temporaryFolder();
  for (const { name, isZod3 } of OTHERS) {
    for (const { path, text } of SOURCES) {
      const file = join(folder, `${name}-${isZod3}`, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, translated(text, { name, isZod3 }));
    }
  }
  const program = join(REPOSITORY, 'node_modules/.bin/oxfmt');
  const args = ['--check', '-c', join(REPOSITORY, '.oxfmtrc.json'), '.'];
  expect(execFileSync(program, args, { cwd: folder, encoding: 'utf8' })).toContain(
    'correct format',
  );
});
