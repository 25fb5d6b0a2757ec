import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { manifestText } from '../../../scripts/manifest.mjs';
import { hashOf, isNewer, MANIFEST, readManifest } from '../../update/manifest.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../../template', import.meta.url));
const HASH = '0123456789abcdef';

test('the manifest in the template is that of its files; if not: npm run manifest', () => {
  expect(readFileSync(join(TEMPLATE, MANIFEST), 'utf8')).toBe(manifestText());
  expect(readManifest(TEMPLATE)).toEqual(JSON.parse(manifestText()));
});

test('a hash is the start of the name that git gives to a content', () => {
  const folder = temporaryFolder({ a: 'größe\n' });
  const name = execFileSync('git', ['hash-object', 'a'], { cwd: folder, encoding: 'utf8' });
  expect(name.startsWith(hashOf(readFileSync(join(folder, 'a'), 'latin1')))).toBe(true);
});

test('a hash is the same for both kinds of line end, and for nothing else', () => {
  expect(hashOf('a\r\nb\r\n')).toBe(hashOf('a\nb\n'));
  expect(hashOf('a\rb\n')).not.toBe(hashOf('a\nb\n'));
  expect(hashOf('a\nb')).not.toBe(hashOf('a\nb\n'));
});

const PATHS_OUTSIDE = [
  '../up.ts',
  'a/../../up.ts',
  '/etc/passwd',
  './a.ts',
  'a//b.ts',
  'a/',
  '',
  '.git/config',
  String.raw`a\..\..\up.ts`,
  'C:/a.ts',
  'a\n',
  '-option',
];

test.each([
  ['no JSON', 'text'],
  ['null', 'null'],
  ['a list', '[]'],
  ['no version', JSON.stringify({ files: {} })],
  ['no files', JSON.stringify({ version: '1.0.0' })],
  ['a command as version', JSON.stringify({ version: '1.0.0; ls', files: {} })],
  ['an address as version', JSON.stringify({ version: 'file:../x', files: {} })],
  ['a short hash', JSON.stringify({ version: '1.0.0', files: { a: '012' } })],
  ['an option as hash', JSON.stringify({ version: '1.0.0', files: { a: '--help-all------' } })],
  ...PATHS_OUTSIDE.map((path) => [
    `the path ${JSON.stringify(path)}`,
    JSON.stringify({ version: '1.0.0', files: { [path]: HASH } }),
  ]),
])('a manifest with %s is refused', (_, text = '') => {
  const project = temporaryFolder({ [MANIFEST]: text });
  const read = () => readManifest(project);
  expect(read).toThrow(
    'src/rpc/manifest.json is damaged. Nothing was changed.\n' +
      "Take it from the project's history: git checkout HEAD -- src/rpc/manifest.json",
  );
  expect(read).toThrow(expect.objectContaining({ exitCode: 1 }));
});

test('a folder without a manifest has none', () => {
  expect(readManifest(temporaryFolder())).toBeUndefined();
});

test.each([
  ['0.1.1', '0.1.0'],
  ['0.10.0', '0.9.9'],
  ['2.0.0', '1.99.99'],
  ['1.0.0', '1.0.0-beta.1'],
  ['1.0.0-beta.10', '1.0.0-beta.9'],
  ['1.0.0-rc.1', '1.0.0-beta.2'],
  ['1.0.1-beta', '1.0.0'],
])('%s is newer than %s', (version, other) => {
  expect(isNewer(version, other)).toBe(true);
  expect(isNewer(other, version)).toBe(false);
  expect(isNewer(version, version)).toBe(false);
});
