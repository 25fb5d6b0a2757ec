/** The demo page that the tests share: to start a server and a browser takes as long as many tests. */
import { beforeAll } from 'vitest';
import { startDemoPage } from './demo-page.mjs';

/** There once a test runs. @type {import('./demo-page.mjs').DemoPage} */
export let demo;

/** Starts it before the tests of the file that calls this, and stops it after them. */
export function shareDemoPage() {
  beforeAll(async () => {
    demo = await startDemoPage();
    return () => demo.stop();
  });
}
