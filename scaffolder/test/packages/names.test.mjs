import { expect, test } from 'vitest';
import { isPackageName, toPackageName, toWorkerName } from '../../packages/names.mjs';

test.each([
  ['my-app', true],
  ['a', true],
  ['@acme/api', true],
  ['a.b_c~d', true],
  ['x'.repeat(214), true],
  ['x'.repeat(215), false],
  ['', false],
  ['My-App', false],
  ['my app', false],
  ['.hidden', false],
  ['_private', false],
  ['@acme', false],
  ['@acme/', false],
  ['a/b', false],
  ['../up', false],
  ['ünïcode', false],
  ['node_modules', false],
  ['favicon.ico', false],
])('%s is a package name: %s', (name, valid) => {
  expect(isPackageName(name)).toBe(valid);
});

test.each([
  ['my-app', 'my-app'],
  ['My App', 'my-app'],
  ['.hidden', 'hidden'],
  ['Ünïcode Straße', 'unicode-stra-e'],
  ['日本', 'my-app'],
  ['日本 shop', 'shop'],
  ['node_modules', 'my-app'],
  ['trailing---', 'trailing'],
  ['x'.repeat(300), 'x'.repeat(214)],
])('%s becomes the package name %s', (text, name) => {
  expect(toPackageName(text)).toBe(name);
  expect(isPackageName(toPackageName(text))).toBe(true);
});

test.each([
  ['my-app', 'my-app'],
  ['@acme/api', 'api'],
  ['a.b_c~d', 'a-b-c-d'],
  ['~x~', 'x'],
  ['-', ''],
  [`${'x'.repeat(62)}-yy`, 'x'.repeat(62)],
])('%s becomes the Worker name %s', (packageName, workerName) => {
  expect(toWorkerName(packageName)).toBe(workerName);
});
