/**
 * What the guides tell a reader to do, done in a scaffolded project: their code is put where they
 * say, type-checked, linted, tested and called.
 */
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../harness/browser.mjs';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stopAll } from '../../harness/guarded-process.mjs';
import { readJsonc } from '../../harness/jsonc.mjs';
import { REPOSITORY, run } from '../outside.mjs';
import { apply, blocksOf, moduleOf } from './blocks.mjs';
import { clientOf, GUIDE, guides, projects, write } from './project.mjs';

/** @typedef {import('./blocks.mjs').Block} Block */

const { root, env, scaffold, npm } = projects({ stopAfter: 'each' });
const blocks = guides.flatMap(blocksOf);
const ofGuide = blocks.filter(({ guide }) => guide === GUIDE);

/** The sections whose blocks are put into a project. */
const FOLLOWED = ['Add a method', 'Another Durable Object', 'Who is calling', 'Call it'];

/** Modules that the guide puts beside `src/`. */
const CALLERS = ['call.ts', 'counter-client.ts'];

describe('code', () => {
  /** @type {string} */
  let project;

  beforeAll(async () => {
    project = await scaffold('fragments');
  });

  test('that names a file is in a section that is followed below', () => {
    const followed = new Set(FOLLOWED.flatMap(sectionOf));
    expect(blocks.filter((block) => block.file && !followed.has(block))).toEqual([]);
  });

  test('that names no file compiles with the imports that it leaves out', async () => {
    const fragments = blocks.filter(({ language, file }) => language === 'ts' && !file);
    expect(fragments.length).toBeGreaterThan(3);
    for (const fragment of fragments) {
      const name = `${fragment.guide.replaceAll('/', '-')}-${fragment.line}.ts`;
      write(join(project, 'src', name), moduleOf(fragment));
    }
    await run('tsc', ['-p', '.'], { cwd: project, env });
  });
});

describe('a project changed as the guide says', () => {
  /** @type {string} */
  let project;

  beforeAll(async () => {
    project = await scaffold('changed');
  });

  test('has a further method, which a test calls', async () => {
    applySection('Add a method', project);
    const { out } = await run('vitest', ['run', 'test/counter.test.ts', '--reporter=verbose'], {
      cwd: project,
      env,
    });
    expect(out).toContain('counts down');
  });

  test('has another Durable Object', async () => {
    applySection('Another Durable Object', project);
    for (const block of sectionOf('Another Durable Object')) {
      if (block.file === 'wrangler.jsonc')
        apply({ ...block, file: 'test/wrangler.jsonc' }, project);
    }
    await npm(project, 'types');
    const { url: baseUrl } = await startDevServer(project, [], env);
    const { createRpcClient } = await clientOf(project);
    using notes = createRpcClient('NOTES', 'my-notes', { baseUrl });
    expect(await notes.add('hello')).toMatch(/^[0-9a-f-]{36}$/);
    await expect(notes.add('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  test('is called from Node, by a page of another origin, and from another Worker', async () => {
    const page = await servePage(project);
    for (const block of sectionOf('Call it').filter(({ file }) => file)) {
      const text = block.text.replace('http://localhost:5173', page.origin);
      if (!block.file?.startsWith('other/')) apply({ ...block, text }, project);
    }
    rewrite(join(project, 'src/counter.ts'), [
      [/ extends DurableObject<Env>/, '$& implements CounterApi'],
      [/^import .*lumenizeRpcDO.*\n/m, "import type { CounterApi } from './counter-api.ts';\n$&"],
    ]);
    // With what was done to it before.
    await check(project);
    const include = [...CALLERS, 'worker-configuration.d.ts'];
    const compilerOptions = { types: ['@cloudflare/workers-types', 'node'] };
    const callers = { extends: './tsconfig.json', compilerOptions, include };
    write(join(project, 'callers.json'), JSON.stringify(callers));
    await run('tsc', ['-p', 'callers.json'], { cwd: project, env });
    const { url } = await startDevServer(project, [], env);
    const forNode = { ...env, BASE_URL: url };
    expect((await run('node', ['call.ts'], { cwd: project, env: forNode })).out).toBe('1\n');
    const forPage = join(project, 'counter-client.ts');
    write(forPage, fs.readFileSync(forPage, 'utf8').replace('http://localhost:8787', url));
    expect(await page.call('counter.increment()')).toBe(2);
    page.close();
    await stopAll();
    // The runtime of the other Worker has a storage of its own.
    expect(await callFromOtherWorker(project)).toMatchObject({
      value: 1,
      refusal: {
        name: 'RpcError',
        message: 'increment: argument [0] must be >= 1, got 0',
        code: 'INVALID_ARGUMENTS',
        path: '[0]',
      },
    });
  });
});

describe('a project that asks who is calling', () => {
  /** What a JWT looks like; the guide's token is replaced by it. */
  const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJBZGEifQ.c2ln_bmF0dXJl-x';
  const section = sectionOf('Who is calling');
  for (const block of section) block.text = block.text.replaceAll('secret-of-ada', TOKEN);
  const isOfClients = ({ place = '' }) => place.includes('client');
  /** @type {string} */
  let project;

  beforeAll(async () => {
    project = await scaffold('authenticated');
    for (const block of section) if (block.file && !isOfClients(block)) apply(block, project);
  });

  test('refuses its tests, which ask nobody else why', async () => {
    const tests = run('vitest', ['run', 'test/total.test.ts'], { cwd: project, env });
    await expect(tests).rejects.toThrow('The server answered 401: No such user');
  });

  test('passes them, and counts on its page, once these bring a token', async () => {
    for (const block of section) if (block.file && isOfClients(block)) apply(block, project);
    await check(project);
    await run('vitest', ['run'], { cwd: project, env });
    const { url } = await startDevServer(project, [], env);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole('button', { name: 'Increment', exact: true }).click();
      await expect.poll(() => page.locator('#value').textContent()).toBe('1');
    } finally {
      await browser.close();
    }
  });

  test('refuses others, and tells its methods who calls', async () => {
    const counter = join(project, 'src/counter.ts');
    const source = fs.readFileSync(counter, 'utf8');
    const expression = "currentCaller<{ user: string }>()?.user ?? 'nobody'";
    expect(fs.readFileSync(join(REPOSITORY, GUIDE), 'utf8')).toContain(
      'currentCaller<{ user: string }>()?.user',
    );
    write(
      counter,
      source
        .replace('{ lumenizeRpcDO }', '{ currentCaller, lumenizeRpcDO }')
        .replace('  reset():', `  whoAmI(): string {\n    return ${expression};\n  }\n\n  reset():`)
        .replace('  reset: []', '  whoAmI: [],\n  reset: []'),
    );
    await check(project);
    const { url: baseUrl } = await startDevServer(project, [], env);
    const { createRpcClient } = await clientOf(project);
    const refused = { code: 'UNAUTHORIZED', message: 'The server answered 401: No such user' };
    for (const transport of ['websocket', 'http']) {
      using stranger = createRpcClient('COUNTER', 'mine', { baseUrl, transport });
      await expect(stranger.whoAmI()).rejects.toMatchObject(refused);
    }
    const clients = section.find(({ file, language }) => !file && language === 'ts');
    const options = Array.from(
      (clients?.text ?? '').matchAll(/'mine', (\{[\s\S]*?\})\);/g),
      ([, text]) => Function(`return (${text});`)(),
    );
    expect(options).toHaveLength(2);
    for (const option of options) {
      using ada = createRpcClient('COUNTER', 'mine', { baseUrl, ...option });
      expect(await ada.whoAmI()).toBe('Ada');
    }
  });
});

test('a project without the examples passes its checks, tests and a dry deployment', async () => {
  const project = await scaffold('without-examples');
  for (const name of [
    'src/bookings',
    'test/bookings.test',
    'src/total',
    'src/shards',
    'test/total.test',
  ]) {
    fs.rmSync(join(project, `${name}.ts`));
  }
  await expect(npm(project, 'typecheck')).rejects.toThrow("Cannot find module './bookings.ts'");
  rewrite(join(project, 'src/index.ts'), [
    [/^export \{ (Bookings|Total) \}.*\n/gm, ''],
    [/'(BOOKINGS|TOTAL)'(, )?/g, ''],
  ]);
  for (const name of ['wrangler.jsonc', 'test/wrangler.jsonc']) {
    rewrite(join(project, name), [
      [/^.*"(BOOKINGS|TOTAL)".*\n/gm, ''],
      [/"(Bookings|Total)"(, )?/g, ''],
    ]);
  }
  await npm(project, 'types');
  await check(project);
  await run('vitest', ['run'], { cwd: project, env });
  await run('wrangler', ['deploy', '--dry-run'], { cwd: project, env });
  await run('wrangler', ['deploy', '--dry-run', '-c', 'perf/wrangler.jsonc'], {
    cwd: project,
    env,
  });
});

/**
 * @param {string} path
 * @param {[RegExp, string][]} changes
 */
function rewrite(path, changes) {
  const source = fs.readFileSync(path, 'utf8');
  write(
    path,
    changes.reduce((text, change) => text.replace(...change), source),
  );
}

/**
 * @param {string} title
 * @returns {Block[]}
 */
function sectionOf(title) {
  const lines = fs.readFileSync(join(REPOSITORY, GUIDE), 'utf8').split('\n');
  const begin = lines.indexOf(`## ${title}`);
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  const found = ofGuide.filter(({ line }) => begin >= 0 && line > begin && line < end);
  expect(found, title).not.toEqual([]);
  return found;
}

/**
 * @param {string} title
 * @param {string} project
 */
function applySection(title, project) {
  for (const block of sectionOf(title)) if (block.file) apply(block, project);
}

/** @param {string} project */
async function check(project) {
  await npm(project, 'typecheck');
  await npm(project, 'lint');
}

/**
 * A page of an origin of its own, with the client module that the guide shows.
 *
 * @param {string} project
 */
async function servePage(project) {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html>'),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    close: () => server.close(),
    /** @param {string} expression */
    async call(expression) {
      const { outputFiles } = await build({
        stdin: {
          contents: `import { counter } from './counter-client.ts'; globalThis.answer = ${expression};`,
          resolveDir: project,
        },
        bundle: true,
        write: false,
      });
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await page.goto(origin);
        await page.evaluate(outputFiles[0].text);
        return await page.evaluate('globalThis.answer');
      } finally {
        await browser.close();
      }
    },
  };
}

/**
 * @param {string} project
 * @returns {Promise<unknown>} what another Worker gets of a call that is
 *   right and of one that is wrong
 */
async function callFromOtherWorker(project) {
  const other = join(root, 'other');
  const [configuration, call, commands] = sectionOf('Call it').filter(
    ({ file, language, text }) =>
      file?.startsWith('other/') || /^const .* env\./.test(text) || language === 'sh',
  );
  const { name, compatibility_date: date } = readJsonc(join(project, 'wrangler.jsonc'));
  const bindings = configuration.text.replace('"my-app"', `"${name}"`);
  write(
    join(other, 'wrangler.jsonc'),
    `{ "name": "other", "main": "index.ts", "compatibility_date": "${date}", "durable_objects": { ${bindings} } }`,
  );
  write(
    join(other, 'index.ts'),
    `export default {
  async fetch(_, env) {
    ${call.text}
    const refusal = await env.COUNTER.getByName('my-counter').increment(0).catch(
      (error) => ({ ...error, name: error.name, message: error.message }));
    return Response.json({ value, refusal });
  },
} satisfies ExportedHandler<Env>;`,
  );
  write(join(other, 'package.json'), '{ "scripts": { "dev": "wrangler dev" } }');
  // As Cloudflare's own template has it, and what the guide says to add.
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024'],
    module: 'es2022',
    moduleResolution: 'bundler',
    types: ['./worker-configuration.d.ts'],
    strict: true,
    skipLibCheck: true,
    isolatedModules: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  write(join(other, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(other, 'node_modules'));
  const [types, dev] = commands.text.split('\n').map(
    (line) =>
      line
        .replace('my-app', 'changed')
        .match(/-c \S+/g)
        ?.join(' ')
        .split(' ') ?? [],
  );
  await run('wrangler', ['types', ...types], { cwd: other, env });
  await run('tsc', ['-p', '.'], { cwd: other, env });
  const { url } = await startDevServer(other, dev, env);
  return (await fetch(url)).json();
}
