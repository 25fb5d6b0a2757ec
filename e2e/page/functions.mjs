/** Tests the functions of the demo page. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { press } from './demo-page.mjs';
import { demo } from './shared.mjs';

/** A time in milliseconds that is far longer than a call of the page waits for its answer. */
const PATIENCE = 60_000;

/** @type {import('./demo-page.mjs').Visit} */
let visit;
/** @type {import('playwright-core').Page} */
let page;

export function testFunctions() {
  beforeEach(async () => {
    visit = await demo.visit();
    ({ page } = visit);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(value).toBe('0');
  });

  afterEach(async () => {
    expect(visit.problems).toEqual([]);
    await page.close();
  });

  test('counts in the object over one WebSocket, and keeps the number', async () => {
    await press(page, 'Increment');
    await expect.poll(value).toBe('1');
    await page.getByLabel('Number to add').fill('1233');
    await press(page, 'Add');
    await expect.poll(value).toBe('1,234');
    expect(await textOf('#round-trip')).toMatch(/^\d+(\.\d)? ms$/);
    expect(visit.sockets).toEqual([`${demo.url.replace('http', 'ws')}/__rpc/COUNTER/demo/call`]);
    expect(await demo.valueOf('demo')).toBe(1234);

    await page.reload();
    await expect.poll(value).toBe('1,234');
    await press(page, 'Reset');
    await expect.poll(value).toBe('0');
  });

  test('has a policy that prevents an injected script from running', async () => {
    const { headers } = await fetch(demo.url);
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; /);
    const inject = (/** @type {string} */ code) =>
      page.evaluate(`(() => { ${code}; document.body.append(element); })()`).catch(String);
    // The text becomes a part of the document.
    expect(await inject(`document.body.innerHTML += '<img src="x:" onerror="ran = 1">'`)).toMatch(
      /TrustedHTML/,
    );
    await inject(`const element = document.createElement('script'); element.append('ran = 2')`);
    await inject(`const element = new DOMParser().parseFromString(
      '<svg xmlns="http://www.w3.org/2000/svg" onload="ran = 3"/>', 'image/svg+xml').firstChild`);
    await inject(`const element = document.createElement('script');
      element.setAttribute('src', 'https://example.com/ran.js')`);
    await press(page, 'Increment');
    await expect.poll(value).toBe('1');
    expect(await page.evaluate('typeof ran')).toBe('undefined');
    const refused = visit.problems.splice(0);
    expect(refused.length).toBeGreaterThan(1);
    for (const problem of refused) expect(problem).toMatch(/Content Security Policy|Trusted/);
  });

  test('shows the count of another tab', async () => {
    const other = await demo.visit();
    await press(page, 'Increment');
    await expect.poll(() => other.page.textContent('#value')).toBe('1');
    await press(other.page, 'Add');
    await expect.poll(value).toBe('6');
    // Each page has made the call of its own button; the first page has also made the call of its reset.
    for (const [{ frames }, calls] of /** @type {const} */ ([
      [visit, 2],
      [other, 1],
    ])) {
      const sent = frames.filter(({ direction }) => direction === 'up');
      expect(sent[0]?.text).toBe('[["subscribe",1,null,"getValue"]]');
      expect(sent).toHaveLength(1 + calls);
    }
    expect(other.problems).toEqual([]);
    await other.page.close();
  });

  test.each([
    ['0', 'must be >= 1, got 0'],
    ['1.5', 'must be integer, got 1.5'],
    ['', 'must be integer, got NaN'],
  ])('explains the mistake in adding "%s", until a call succeeds', async (by, problem) => {
    const alert = problemOf('Add');
    await page.getByLabel('Number to add').fill(by);
    await press(page, 'Add');
    await expect
      .poll(() => alert.textContent())
      .toBe(`RpcError: increment: argument [0] ${problem}`);
    expect(await demo.valueOf('demo')).toBe(0);
    await press(page, 'Increment');
    await expect.poll(() => alert.textContent()).toBe('');
  });

  test('shows the frames that the browser sent and received, with their bytes', async () => {
    await press(page, 'Increment');
    await expect.poll(value).toBe('1');
    const expected = visit.frames.map(({ direction, text }) => [
      'demo',
      direction,
      `${Buffer.byteLength(text)}`,
      text,
    ]);
    expect(expected.slice(-2)).toEqual([
      ['demo', 'up', '17', '[[2,"increment"]]'],
      ['demo', 'down', '21', '[[2,1],["value",1,1]]'],
    ]);
    await expect.poll(frameRows).toEqual(expected);
  });

  test('truncates long frames', async () => {
    await press(page, 'Overfill a counter');
    const expected = visit.frames.slice(-2).map(({ direction, text }) => {
      const shown = `${text.slice(0, 160)}… and ${text.length - 160} more characters`;
      return ['trial', direction, `${text.length}`, shown];
    });
    await expect.poll(async () => (await frameRows()).slice(-2)).toEqual(expected);
  });

  test('measures ten calls in three ways, and keeps the last fifty frames', async () => {
    await press(page, 'Measure');
    expect(await textOf('#progress')).toBe('30 of 30 rounds');
    for (const [way, frames] of [
      ['sequential', 20],
      ['batched', 2],
      ['pipelined', 2],
    ]) {
      const figures = await page.locator(`#${way} dd`).allTextContents();
      const [p50, p95, shownFrames, bytes] = figures.map(Number.parseFloat);
      expect(figures.slice(0, 2).join()).toMatch(/^\d+(\.\d)? ms,\d+(\.\d)? ms$/);
      expect(p50).toBeLessThanOrEqual(Number(p95));
      expect(shownFrames).toBe(frames);
      expect(bytes).toBeGreaterThan(100);
      const chart = page.locator(`#${way}`).getByRole('img');
      expect(await chart.getAttribute('aria-label')).toMatch(
        /^30 times from [\d.]+ ms to [\d.]+ ms$/,
      );
      const paths = await chart
        .locator('path')
        .evaluateAll((all) => all.map((path) => path.getAttribute('d')));
      expect(paths).toEqual([
        expect.stringMatching(/^(M\d+ 10v-[\d.]+h\.9V10)+$/),
        ...Array(2).fill(expect.stringMatching(/^M[\d.]+ 0V10$/)),
      ]);
    }
    // Each of the pipelined calls after the first two has doubled the counter.
    expect(await demo.valueOf('trial')).toBe(2 ** 8);
    await expect.poll(() => page.locator('#frames tr').count()).toBe(50);
  });

  test('shows a rejected input with its code and path', async () => {
    await press(page, 'Increment by 1.5');
    expect(await page.locator('[aria-label=Rejection] dd').allTextContents()).toEqual([
      'INVALID_ARGUMENTS',
      '[0]',
      'increment: argument [0] must be integer, got 1.5',
    ]);
    expect(await demo.valueOf('demo')).toBe(0);
  });

  test('shows a thrown error with its remote stack, in a frame whose other calls succeed', async () => {
    await press(page, 'Overfill a counter');
    const [message, first, ...stack] = (await textOf('#stack'))?.split('\n') ?? [];
    expect(message).toBe('RangeError: The counter holds 1000000000 at most');
    expect(first).toMatch(/^ {4}at \w+\.increment \(index\.js:\d+:\d+\)$/);
    // The frames of the page follow, without folders.
    expect(stack.join('\n')).toMatch(/ {4}at async app\.js:\d+:\d+\n/);
    expect(stack.join('\n')).not.toContain('/');
    const answers = visit.frames.findLast(({ direction }) => direction === 'down')?.text;
    expect(JSON.parse(`${answers}`)).toHaveLength(1003);
    expect(answers?.split('"error"')).toHaveLength(2);
    // The frame's last call has emptied it.
    expect(await demo.valueOf('trial')).toBe(0);
  });

  test('counts exactly, while the connection is cut and restored', async () => {
    const states = watchStates();
    const { frames, sockets } = visit;
    await press(page, 'Increment');
    await expect.poll(value).toBe('1');
    await press(page, 'Cut the connection');
    expect(await value()).toBe('21');
    expect(await demo.valueOf('demo')).toBe(21);
    expect(sockets).toHaveLength(2);
    expect(await states).toEqual(['reconnecting', 'open']);
    const events = await page.locator('#events li').allTextContents();
    expect(events.map((event) => event.replace(/^[\d.]+ ms {2}/, ''))).toEqual([
      '10 increments sent, socket closed',
      expect.stringMatching(/^Connection: reconnecting, attempt 1 in [\d.]+ ms$/),
      '10 more wait',
      'Connection: open',
      '20 answers: 1 + 20 = 21',
    ]);
    // Calls without an answer are sent a second time, before the calls that waited.
    const [cut, again] = frames.filter(({ text }) => text.includes('"increment"')).slice(-2);
    const calls = cut?.text.slice(1, -1);
    expect(calls?.split('"increment"')).toHaveLength(11);
    expect(again?.text).toMatch(/^\[\["resent",\d+,\d+\],/);
    expect(again?.text).toContain(`${calls},`);
    expect(again?.text.split('"increment"')).toHaveLength(21);
  });

  test('shows the most recent call', async () => {
    await page.getByLabel('Number to add').fill('12');
    for (const [button, call] of [
      ['Increment', 'increment()'],
      ['Add', 'increment(12)'],
      ['Reset', 'reset()'],
    ]) {
      await press(page, `${button}`);
      expect(await textOf('#call')).toBe(`await counter.${call};`);
    }
  });

  test('shows that a button is busy, and only while it is', async () => {
    const proxy = await proxyToDemo();
    const visitByProxy = await demo.visit({}, proxy.url);
    const busy = `[...document.querySelectorAll('[aria-busy=true]')].map(({ id }) => id)`;
    const withBar = `[...document.querySelectorAll('button')]
    .filter((button) => getComputedStyle(button, '::after').content !== 'none')
    .map(({ id }) => id)`;
    const ids = ['increment', 'add', 'measure', 'reject', 'throw', 'cut'];
    const shown = () =>
      Promise.all([busy, withBar].map((code) => visitByProxy.page.evaluate(code)));
    try {
      expect(await shown()).toEqual([[], []]);
      proxy.silence('up');
      for (const id of ids) await visitByProxy.page.locator(`#${id}`).click();
      expect(await shown()).toEqual([ids, ids]);
      proxy.resume();
      await expect.poll(shown, { timeout: PATIENCE }).toEqual([[], []]);
      expect(visitByProxy.problems).toEqual([]);
    } finally {
      await visitByProxy.page.close();
      proxy.close();
    }
  });

  test('shows an error in its panel, with the remedy', async () => {
    const proxy = await proxyToDemo();
    const lost = (await demo.visit({}, proxy.url)).page;
    const names = ['Increment', 'Measure', 'Increment by 1.5', 'Overfill a counter'];
    try {
      proxy.close();
      for (const name of [...names, 'Cut the connection']) {
        await lost.getByRole('button', { name, exact: true }).click();
      }
      for (const name of [...names, 'Cut the connection']) {
        await expect
          .poll(() => problemOf(name, lost).textContent(), { timeout: PATIENCE })
          .toMatch(
            /^RpcError: .*\. Is the Worker running \(npm run dev\)\? See README\.md, Troubleshooting\.$/,
          );
      }
      expect(await lost.locator('#connection').textContent()).toContain('Is the Worker running');
      expect(await lost.locator('body').innerText()).not.toContain('undefined');
      // The page still shows the earlier content, because no new content has arrived.
      expect(await lost.locator('#code em').count()).toBe(1);
    } finally {
      await lost.close();
    }
  });

  test('shows an error of a method in the panel that has called it', async () => {
    await demo.fill('demo');
    const full = 'RangeError: The counter holds 1000000000 at most';
    for (const name of ['Increment', 'Cut the connection']) {
      await press(page, name);
      expect(await problemOf(name).textContent()).toBe(full);
    }
    expect(await problemOf('Increment by 1.5').textContent()).toBe('');
    await press(page, 'Reset');
    expect(await problemOf('Increment').textContent()).toBe('');
  });

  test('ignores a second press while the first is busy', async () => {
    const button = page.getByRole('button', { name: 'Cut the connection' });
    await button.dblclick();
    await page.locator('.exact').waitFor();
    expect(await demo.valueOf('demo')).toBe(20);
    expect(await page.locator('#cut:focus').count()).toBe(1);
  });
}

/** @returns {Promise<NetworkProxy>} */
function proxyToDemo() {
  return new NetworkProxy(Number(new URL(demo.url).port)).listen();
}

/**
 * @param {string} button
 * @param {import('playwright-core').Page} [on]
 */
function problemOf(button, on = page) {
  const panel = on
    .locator('section')
    .filter({ has: on.getByRole('button', { name: button, exact: true }) });
  return panel.getByRole('alert');
}

function value() {
  return textOf('#value');
}

/** @param {string} selector */
function textOf(selector) {
  return page.locator(selector).textContent();
}

/** @returns {Promise<string[][]>} */
function frameRows() {
  return page
    .locator('#frames tr')
    .evaluateAll((items) =>
      items.map((item) => [...item.children].map((cell) => cell.textContent ?? '')),
    );
}

/** @returns {Promise<string[]>} the states that the page shows, up to the next `open` */
function watchStates() {
  return page.evaluate(`new Promise((resolve) => {
    const line = document.querySelector('#connection');
    const states = [];
    new MutationObserver(() => {
      states.push(line.dataset.state);
      if (states.at(-1) === 'open') resolve(states);
    }).observe(line, { attributeFilter: ['data-state'] });
  })`);
}
