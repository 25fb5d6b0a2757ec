/** Which links of a template stay in it. Tests in `../links.test.mjs` run the whole program on them. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import checkLinks from '../../templates/check-links.mjs';
import { temporaryFolder } from '../support/folders.mjs';

/**
 * @param {string} path
 * @param {string} link - its target
 */
function check(path, link) {
  const [project, target] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(dirname(join(project, path)), { recursive: true });
  symlinkSync(link, join(project, path));
  checkLinks({ project, target, list: false, from: 'o/r' });
}

test.each([
  ['x', '.'],
  ['x', 'docs/y'],
  ['x', './docs//y/'],
  ['docs/x', '..'],
  ['docs/x', './../y'],
  ['docs/deep/x', '..//../y'],
])('%s may be a link to %s', (path, target) => {
  check(path, target);
});

test.each([
  ['x', '..'],
  ['x', '/etc'],
  ['docs/x', '../..'],
  ['docs/x', './../../y'],
  ['docs/x', 'here/..'],
  ['docs/deep/x', '../here/../y'],
  ['docs/x', String.raw`..\..\y`],
])('%s may not be a link to %s', (path, target) => {
  expect(() => check(path, target)).toThrow(
    `o/r has a link that leads out of the template: ${path} -> ${target}\nNothing was written. Replace the link`,
  );
});

test('refuses a file in place of a folder of the template, but not with --list', () => {
  const project = temporaryFolder({ 'docs/deep/x': '' });
  const target = temporaryFolder({ 'docs/deep': '' });
  expect(() => checkLinks({ project, target, list: false })).toThrow(
    `${join(target, 'docs/deep')} is a file, and the template has a folder there.\n` +
      'Nothing was changed. Put a folder in its place, or choose another directory.',
  );
  checkLinks({ project, target: '/no/such/place', list: false });
  const context = { project, list: true };
  checkLinks(/** @type {Parameters<typeof checkLinks>[0]} */ (context));
});
