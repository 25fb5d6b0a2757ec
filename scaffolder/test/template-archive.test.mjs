import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packTemplate, unpackTemplate } from '../template-archive.mjs';
import { templateFiles } from '../template-files.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';

const TEMPLATE = fileURLToPath(new URL('../../template', import.meta.url));

/** @param {string} folder */
function packAndUnpack(folder) {
  const [archive, unpacked] = [join(temporaryFolder(), 'template.br'), temporaryFolder()];
  writeFileSync(archive, packTemplate(folder));
  unpackTemplate(archive, unpacked);
  return unpacked;
}

test('the template comes out as it went in', () => {
  const unpacked = Object.entries(contents(packAndUnpack(TEMPLATE)));
  const files = unpacked.filter(([path]) => !path.endsWith('/'));
  const expected = templateFiles(TEMPLATE).map(({ path, source }) => [
    path,
    readFileSync(source, 'utf8'),
  ]);
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(expected));
});

test('files keep every byte: empty ones, line ends, letters of several bytes', () => {
  const files = {
    'a/b/empty': '',
    'crlf.txt': 'one\r\ntwo',
    'd\u00e9j\u00e0': '\u{1f600}\n',
    z: '\n',
  };
  const unpacked = contents(packAndUnpack(temporaryFolder(files)));
  expect(unpacked).toMatchObject(files);
});

test('what the .gitignore names is left out', () => {
  const folder = temporaryFolder({ '.gitignore': 'secret\n', secret: 'x', kept: 'y' });
  expect(contents(packAndUnpack(folder))).toEqual({ '.gitignore': 'secret\n', kept: 'y' });
});
