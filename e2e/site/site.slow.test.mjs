/** The built site in a browser, served as the static assets of a Worker. */
import { beforeAll, describe } from 'vitest';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { buildSite, serveSite } from './built-site.mjs';
import { testDemo } from './demo.mjs';

let url = '';
const browser = sharedBrowser();

beforeAll(async () => {
  await buildSite();
  const server = await serveSite();
  url = server.url;
  return () => server.stop();
});

describe('the demo', () => testDemo(browser, () => url));
