/**
 * `npm run screenshots`: makes the pictures of the demo page in docs/screenshots, and records a hash of the sources,
 * so that a test detects pictures of an older page.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { press, startDemoPage, useEverything } from './demo-page.mjs';
import { indexedPng } from './indexed-png.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const FOLDER = path.join(ROOT, 'docs/screenshots');
export const NOTE = path.join(FOLDER, 'sources.sha256');

export const PICTURES = /** @type {const} */ ([
  { name: 'page-light.png', colorScheme: 'light' },
  { name: 'page-dark.png', colorScheme: 'dark' },
]);

/**
 * @param {import('./demo-page.mjs').DemoPage} demo
 * @param {string} folder - for the pictures
 */
export async function takeScreenshots(demo, folder) {
  // The viewport is as high as the page, because parts outside the viewport are not always painted.
  const { page } = await demo.visit({ viewport: { width: 1280, height: 2000 } });
  await press(page, 'Reset');
  await useEverything(page);
  await page.mouse.move(0, 0);
  for (const { name, colorScheme } of PICTURES) {
    await page.emulateMedia({ colorScheme });
    const png = await page.locator('body').screenshot();
    await writeFile(path.join(folder, name), indexedPng(await decode(page, png)));
  }
  await page.close();
}

/** @returns {Promise<string>} a hash of the sources of the page */
export async function hashSources() {
  const script = path.join(ROOT, 'template/src/page');
  const files = (await readdir(script)).filter((name) => name.endsWith('.ts')).toSorted();
  const paths = ['index.html', 'style.css'].map((name) => path.join(ROOT, 'template/public', name));
  const hash = createHash('sha256');
  for (const file of [...paths, ...files.map((name) => path.join(script, name))]) {
    hash.update(`${path.relative(ROOT, file)}\n${await readFile(file, 'utf8')}`);
  }
  return hash.digest('hex');
}

/**
 * @param {import('playwright-core').Page} page - any: a browser can read PNG
 * @param {Buffer} png
 * @returns {Promise<{ width: number, height: number, pixels: Buffer }>}
 */
export async function decode(page, png) {
  const { width, height, base64 } = await page.evaluate(`(async () => {
    const response = await fetch('data:image/png;base64,${png.toString('base64')}');
    const bitmap = await createImageBitmap(await response.blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, base64: new Uint8Array(data.buffer).toBase64() };
  })()`);
  return { width, height, pixels: Buffer.from(base64, 'base64') };
}

if (import.meta.main) {
  const demo = await startDemoPage();
  try {
    await mkdir(FOLDER, { recursive: true });
    await takeScreenshots(demo, FOLDER);
    await writeFile(NOTE, `${await hashSources()}\n`);
  } finally {
    await demo.stop();
  }
}
