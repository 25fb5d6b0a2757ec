/** The built site in a browser, served as the static assets of a Worker. */
import { beforeAll, describe } from 'vitest';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { buildSite, serveSite } from './built-site.mjs';
import { testDelivery } from './delivery.mjs';
import { testDemo } from './demo.mjs';
import { testReading } from './reading.mjs';
import { testSearch } from './search.mjs';

let url = '';
const browser = sharedBrowser();

beforeAll(async () => {
  await buildSite();
  const server = await serveSite();
  url = server.url;
  return () => server.stop();
});

describe('the demo', () => testDemo(browser, () => url));
describe('the search', () => testSearch(browser, () => url));
describe('what the Worker serves', () => testDelivery(() => url));
describe('a reader of', () => testReading(browser, () => url));
