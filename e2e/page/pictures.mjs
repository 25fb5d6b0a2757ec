/** The pictures of the demo page in the guides can be made, and show the current page. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexedPng } from './indexed-png.mjs';
import { decode, FOLDER, hashSources, NOTE, PICTURES, takeScreenshots } from './screenshots.mjs';
import { demo } from './shared.mjs';

const README = path.resolve(import.meta.dirname, '../../README.md');

export function testPictures() {
  /** @type {string} */
  let folder;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lumenize-rpc-screenshots-'));
    await takeScreenshots(demo, folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('they were made from the page as it is: else run `npm run screenshots`', async () => {
    expect(await readFile(NOTE, 'utf8')).toBe(`${await hashSources()}\n`);
  });

  test('they are all there, and no others', async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.png'));
    expect(names.toSorted()).toEqual(PICTURES.map(({ name }) => name).toSorted());
    const readme = await readFile(README, 'utf8');
    for (const name of names) expect(readme).toContain(`docs/screenshots/${name}`);
  });

  test.each(PICTURES)('$name is a picture of all of a page', async ({ name }) => {
    for (const file of [path.join(folder, name), path.join(FOLDER, name)]) {
      const picture = await readFile(file);
      const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
      expect(Math.min(width, height), file).toBeGreaterThan(1_000);
      // A blank picture of that size is far smaller.
      expect(picture.length, file).toBeGreaterThan(20_000);
    }
  });

  test('a picture of few colours keeps each of them', async () => {
    const { page } = await demo.visit();
    const colours = Array.from({ length: 15 }, (_, index) => [17 * index, 255 - index, index, 255]);
    const picture = { width: 5, height: 3, pixels: Buffer.from(colours.flat()) };
    expect(await decode(page, indexedPng(picture))).toEqual(picture);
    await page.close();
  });
}
