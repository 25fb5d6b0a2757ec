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
    expect(await callFromOtherWorker(project)).toBe(1);
  });
});

test('a project that asks who is calling refuses others, and tells its methods', async () => {
  const project = await scaffold('authenticated');
  applySection('Who is calling', project);
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
  const clients = sectionOf('Who is calling').find(({ file }) => !file);
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
 * @returns {Promise<unknown>}
 */
async function callFromOtherWorker(project) {
  const other = join(root, 'other');
  const [configuration, call] = sectionOf('Call it').filter(
    ({ file, text }) => file?.startsWith('other/') || /^const .* env\./.test(text),
  );
  const { name, compatibility_date: date } = readJsonc(join(project, 'wrangler.jsonc'));
  const bindings = configuration.text.replace('"my-app"', `"${name}"`);
  write(
    join(other, 'wrangler.jsonc'),
    `{ "name": "other", "main": "index.ts", "compatibility_date": "${date}", "durable_objects": { ${bindings} } }`,
  );
  write(
    join(other, 'index.ts'),
    `import type { Counter } from '../changed/src/counter.ts';
interface Env { COUNTER: DurableObjectNamespace<Counter> }
export default {
  async fetch(_, env) {
    ${call.text}
    return Response.json(value);
  },
} satisfies ExportedHandler<Env>;`,
  );
  write(
    join(other, 'tsconfig.json'),
    '{ "extends": "../changed/tsconfig.json", "include": [".", "../changed/worker-configuration.d.ts"], "exclude": [] }',
  );
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(other, 'node_modules'));
  await run('tsc', ['-p', '.'], { cwd: other, env });
  const configurations = [join(other, 'wrangler.jsonc'), 'wrangler.jsonc'].flatMap((file) => [
    '-c',
    file,
  ]);
  const { url } = await startDevServer(project, configurations, env);
  return (await fetch(url)).json();
}
