/**
 * The built site, served as the static assets of a Worker. `npm test` checks its links, its search and its deployment.
 * `npm run test:all` also reads each page in a browser. These tests have no `.slow.test.mjs` of their own, because VitePress
 * writes each build into one folder, and two builds at a time would break each other.
 */
import { beforeAll, describe } from 'vitest';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { IS_WHOLE } from '../../scripts/tests/whole.mjs';
import { buildSite, serveSite } from './built-site.mjs';
import { testDelivery } from './delivery.mjs';
import { testDemo } from './demo.mjs';
import { testReading } from './reading.mjs';
import { testSearch, testSearchBox } from './search.mjs';

let url = '';
const address = () => url;

beforeAll(async () => {
  await buildSite();
  const server = await serveSite();
  url = server.url;
  return () => server.stop();
});

describe('the search', () => testSearch());
describe('what the Worker serves', () => testDelivery(address));

if (IS_WHOLE) {
  describe('in a browser', () => {
    const browser = sharedBrowser();
    describe('the demo', () => testDemo(browser, address));
    describe('the search box', () => testSearchBox(browser, address));
    describe('a reader of', () => testReading(browser, address));
  });
}
