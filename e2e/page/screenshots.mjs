/** `npm run screenshots` takes the pictures of the demo page for the README. */
import path from 'node:path';
import { press, startDemoPage, useEverything } from './demo-page.mjs';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/screenshots');
const SCHEMES = /** @type {const} */ (['light', 'dark']);

const demo = await startDemoPage();
try {
  // The height of the part that the README shows: the page down to the end of its first panels.
  const { page } = await demo.visit({ viewport: { width: 1280, height: 710 } });
  await press(page, 'Reset');
  await useEverything(page);
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0)');
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(FOLDER, `page-${colorScheme}.png`) });
  }
} finally {
  await demo.stop();
}
