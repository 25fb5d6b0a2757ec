/** The demo: calls run once, and the feed and the live value go on, whatever happens to the connection. */
import { expect, test } from 'vitest';

/**
 * @param {ReturnType<typeof import('../../harness/shared-browser.mjs').sharedBrowser>} browser
 * @param {() => string} url - of the site
 */
export function testDemo(browser, url) {
  /** @param {(demo: Demo, page: import('playwright-core').Page) => Promise<void>} use */
  const visit = async (use) => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${url()}/start/try`);
    const demo = new Demo(page);
    await demo.shows({ state: 'open', value: 0 });
    await use(demo, page);
    expect(problems).toEqual([]);
    await page.close();
  };

  test('a call runs, and its value and its event arrive', () =>
    visit(async (demo) => {
      await demo.press('increment()');
      await demo.shows({ value: 1, calls: 1, answers: 1, runs: 1 });
    }));

  test('a call whose answer was lost runs once', () =>
    visit(async (demo) => {
      await demo.press('increment(), and lose the answer');
      await demo.logs('Lost on the way');
      await demo.shows({ state: 'open', value: 1, calls: 1, answers: 1, runs: 1 });
      await demo.press('increment()');
      await demo.shows({ value: 2, calls: 2, answers: 2, runs: 2 });
    }));

  test('calls of a client without a connection run in order when it is there again', () =>
    visit(async (demo) => {
      await demo.press('Cut the connection');
      await demo.shows({ state: 'reconnecting' });
      for (let call = 0; call < 3; call++) await demo.press('increment()');
      await demo.shows({ value: 0, calls: 3, answers: 0, runs: 0 });
      await demo.press('Restore the connection');
      await demo.shows({ state: 'open', value: 3, calls: 3, answers: 3, runs: 3 });
    }));

  test('the keyboard suffices, and the loaded page needs no network', () =>
    visit(async (demo, page) => {
      await page.context().setOffline(true);
      const button = page.getByRole('button', { name: 'increment(), and lose the answer' });
      await button.focus();
      await page.keyboard.press('Enter');
      await demo.shows({ state: 'open', value: 1, calls: 1, answers: 1, runs: 1 });
    }));

  test('an object that hibernated keeps its value, its subscriptions and its answers', () =>
    visit(async (demo) => {
      await demo.press('increment()');
      await demo.shows({ value: 1, runs: 1 });
      await demo.press('Let the object hibernate');
      await demo.press('increment(), and lose the answer');
      await demo.shows({ value: 2, calls: 2, answers: 2, runs: 2 });
    }));
}

class Demo {
  #page;

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {string} name - of a button */
  press(name) {
    return this.#page.getByRole('button', { name, exact: true }).click();
  }

  /** @param {Record<string, string | number>} values */
  async shows(values) {
    const shown = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(values).map(async (name) => {
            const text = await this.#page.textContent(`[data-shown=${name}]`);
            return [name, typeof values[name] === 'number' ? Number(text) : text];
          }),
        ),
      );
    await expect.poll(shown).toEqual(values);
  }

  /** @param {string} text */
  async logs(text) {
    await expect.poll(() => this.#page.textContent('[role=log]')).toContain(text);
  }
}
