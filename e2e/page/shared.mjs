/** The tests share one demo page, because the start of a server and a browser takes as long as many tests. */
import { beforeAll } from 'vitest';
import { startDemoPage } from './demo-page.mjs';

/** The page exists when a test runs. @type {import('./demo-page.mjs').DemoPage} */
export let demo;

/** Starts the page before the tests of the calling file, and stops it after them. */
export function shareDemoPage() {
  beforeAll(async () => {
    demo = await startDemoPage();
    return () => demo.stop();
  });
}
