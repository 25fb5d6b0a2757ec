/**
 * Edits server code while pages and clients are connected, in each development server that a project can have. Their
 * subscriptions recover within seconds, as after a deployment, and without a reload.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDevServer, startVite } from '../../harness/dev-server.mjs';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { run } from '../setup/outside.mjs';
import { projects } from '../setup/projects.mjs';

const place = projects({ stopAfter: 'all' });
const browser = sharedBrowser();

/** An object with each feature. The page of the project shows its live value. */
const COUNTER = `
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import {
  callback, callbackAt, capability, events, feed, type Feed, live, lumenizeRpcDO, stream, tokenOf,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

type Ask = (question: string) => Promise<string>;

class DeskImpl extends RpcTarget {
  readonly counter: CounterImpl;

  constructor(counter: CounterImpl) {
    super();
    this.counter = counter;
  }

  say(text: string): string {
    return \`old desk: \${text}\`;
  }
}

export const Desk = capability(DeskImpl, [], { say: [Type.String()] });
export type Desk = InstanceType<typeof Desk>;

export class CounterImpl extends DurableObject<Env> {
  increment(by = 1): number {
    const value = (this.ctx.storage.kv.get<number>('value') ?? 0) + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return (this.ctx.storage.kv.get<number>('value') ?? 0) + 0;
  }

  reset(): void {
    this.ctx.storage.kv.delete('value');
  }

  notes(): Feed<string> {
    return feed(this, 'notes');
  }

  post(text: string): void {
    this.notes().append(text);
  }

  async *ticks(): AsyncGenerator<number> {
    for (let tick = 1; ; tick++) {
      yield tick;
      await scheduler.wait(50);
    }
  }

  onQuestion(ask: Ask): void {
    this.ctx.storage.kv.put('ask', tokenOf(ask));
  }

  question(text: string): Promise<string> {
    return callbackAt<Ask>(this, this.ctx.storage.kv.get<string>('ask') ?? '')(text);
  }

  desk(): Desk {
    return new Desk(this);
  }
}

export const Counter = lumenizeRpcDO(CounterImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }))],
  getValue: live(),
  reset: [],
  notes: events(),
  post: [Type.String()],
  ticks: stream(),
  onQuestion: [callback([Type.String()], Type.String())],
  question: [Type.String()],
  desk: { input: [], returns: Desk },
});
export type Counter = InstanceType<typeof Counter>;
`;

/** Collects the messages that a client receives from the object while its code changes. */
class Listener {
  /** @type {unknown[]} */
  values = [];
  /** @type {unknown[]} */
  notes = [];
  /** @type {number[]} */
  ticks = [];
  /** @type {string[]} */
  ended = [];
  /** @type {any} */
  client;
  /** @type {any} */
  desk;
  #api;

  /** @param {any} api - the client's entry of the package */
  constructor(api) {
    this.#api = api;
  }

  /** @param {string} baseUrl */
  async connect(baseUrl) {
    const { createRpcClient, capabilities, callback } = this.#api;
    this.client = createRpcClient('COUNTER', 'demo', { baseUrl, capabilities });
    await this.client.onQuestion(callback((/** @type {string} */ text) => `client: ${text}`));
    this.desk = await this.client.desk();
    for (const kind of /** @type {const} */ (['values', 'notes', 'ticks'])) void this.follow(kind);
  }

  /** @param {'values' | 'notes' | 'ticks'} kind */
  async follow(kind) {
    const subscribed = this.#api.subscribe(this.client);
    const method = { values: 'getValue', notes: 'notes', ticks: 'ticks' }[kind];
    try {
      for await (const item of subscribed[method]())
        /** @type {unknown[]} */ (this[kind]).push(item);
    } catch (error) {
      this.ended.push(`${kind}: ${/** @type {{ code?: string }} */ (error).code}`);
    }
  }
}

describe.each([
  ['Vite, with a page of React', ['--ui', 'react'], startVite],
  ['wrangler dev, with a page without a framework', [], startWrangler],
])('%s', (_, options, start) => {
  /** @type {string} */
  let project;
  /** @type {string} */
  let url;
  /** @type {Listener} */
  let listener;
  /** @type {import('playwright-core').Page} */
  let page;
  let file = '';
  let log = '';

  beforeAll(async () => {
    const name = options.length > 0 ? 'edited-react' : 'edited';
    project = await place.scaffoldBare(name, options);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: project,
      env: place.env,
    });
    file = join(project, 'src/counter.ts');
    writeFileSync(file, COUNTER);
    const started = await start(project, ['run', 'dev'], place.env);
    url = started.url;
    for (const stream of [started.server.stdout, started.server.stderr]) {
      stream?.on('data', (chunk) => (log += chunk));
    }
    const client = join(project, 'node_modules/lumenize-rpc/dist/client.js');
    listener = new Listener(await import(pathToFileURL(client).href));
    await listener.connect(url);
    page = await browser.newPage();
    await page.goto(url);
  });

  /** @param {[from: string, to: string][]} changes */
  function edit(...changes) {
    let text = readFileSync(file, 'utf8');
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(file, text);
  }

  const shown = () => page.getByLabel('Value').textContent();
  const heard = () => listener.values.at(-1);
  const click = () => page.getByRole('button', { name: 'Increment', exact: true }).click();

  test('after an edit of a method, open subscriptions recover without a call', async () => {
    await expect.poll(shown).toBe('0');
    await listener.client.post('one');
    await expect.poll(() => listener.ticks.length).toBeGreaterThan(2);
    edit(['?? 0) + 0', '?? 0) + 100'], ['old desk', 'new desk']);
    await expect.poll(shown).toBe('100');
    await expect.poll(heard).toBe(100);
    await click();
    await expect.poll(shown).toBe('101');
    expect(await listener.desk.say('hello')).toBe('new desk: hello');
    expect(await listener.client.question('why?')).toBe('client: why?');
    await listener.client.post('two');
    await expect.poll(() => listener.notes).toEqual(['one', 'two']);
    // A stream is in the memory of an instance, as the page of streams says.
    await expect.poll(() => listener.ended).toEqual(['ticks: DISCONNECTED']);
    listener.ticks = [];
    void listener.follow('ticks');
    await expect.poll(() => listener.ticks.length).toBeGreaterThan(2);
  });

  test('after an edit of a schema, calls follow the new contract', async () => {
    edit(
      ['maximum: 1000', 'maximum: 3'],
      [
        '  reset(): void',
        '  twice(by: number): number {\n    return 2 * by;\n  }\n\n  reset(): void',
      ],
      ['  reset: []', '  twice: [Type.Integer()],\n  reset: []'],
    );
    const problem = () => listener.client.increment(5).catch(String);
    await expect.poll(problem).toContain('increment: argument [0] must be <= 3');
    expect(await listener.client.twice(4)).toBe(8);
    await page.getByLabel('Number to add').fill('5');
    await page.getByRole('button', { name: 'Add' }).click();
    const alert = async () => (await page.getByRole('alert').allTextContents()).join('');
    await expect.poll(alert).toContain('must be <= 3');
  });

  test('after a feature was removed and added again, its subscriptions recover', async () => {
    edit(['  notes: events(),\n', ''], ['  post: [Type.String()],\n', '']);
    const failure = () => listener.client.post('lost').catch((/** @type {any} */ e) => e.code);
    await expect.poll(failure).toBe('METHOD_NOT_FOUND');
    await click();
    edit([
      '  ticks: stream(),',
      '  notes: events(),\n  post: [Type.String()],\n  ticks: stream(),',
    ]);
    await expect.poll(() => listener.client.post('three').catch(String)).toBe(undefined);
    // The old contract is in force until the development server has read the file.
    const notes = () => listener.notes.filter((note) => note !== 'lost');
    await expect.poll(notes).toEqual(['one', 'two', 'three']);
  });

  test('after a syntax error and its repair, open subscriptions recover', async () => {
    log = '';
    edit(['getValue(): number {', 'getValue(): number {{']);
    await expect.poll(() => log).toContain('ERROR');
    const before = Number((await shown())?.replace(',', ''));
    const waiting = listener.client.increment(1);
    edit(['getValue(): number {{', 'getValue(): number {']);
    await waiting;
    await expect.poll(shown).toBe(`${before + 1}`);
    // Vite shows the error over the page until the overlay is closed.
    await page.evaluate(`document.querySelector('vite-error-overlay')?.remove()`);
    await click();
    await expect.poll(shown).toBe(`${before + 2}`);
    await expect.poll(heard).toBe(before + 2);
  });
});

/**
 * @param {string} project
 * @param {string[]} _command
 * @param {NodeJS.ProcessEnv} env
 */
function startWrangler(project, _command, env) {
  return startDevServer(project, [], env);
}
