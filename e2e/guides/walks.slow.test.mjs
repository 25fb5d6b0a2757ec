/**
 * Follows the guides to their ends in scaffolded projects. The projects pass their own checks and tests, and are called
 * from pages and from another Worker.
 */
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stopAll } from '../../harness/guarded-process.mjs';
import { readJsonc } from '../../harness/jsonc.mjs';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { run } from '../setup/outside.mjs';
import { apply } from './blocks.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { addToProject, forClients, forServer, rewrite, sectionOf } from './sections.mjs';

const { root, env, scaffold, npm, testProject, tsc } = projects({ stopAfter: 'all' });

const browser = sharedBrowser();

describe('a project changed as the guide says', () => {
  /** @type {string} */
  let project;
  /** @type {Awaited<ReturnType<typeof servePage>>} */
  let page;
  /** The address of the running project. @type {string} */
  let url;

  beforeAll(async () => {
    project = await scaffold('changed');
    page = await servePage(project);
    addToProject(project, page);
    await npm(project, 'types');
    ({ url } = await startDevServer(project, [], env));
    return async () => {
      page.close();
      await stopAll();
    };
  });

  test('passes the checks that the guide names for CI, and the test of its new method', async () => {
    const commands = sectionOf('Deploy').find(({ text }) => text.includes('npm test'));
    const scripts = commands?.text.replaceAll(/ +#.*/g, '').trim().split('\n') ?? [];
    expect(scripts).toHaveLength(5);
    // The packages of this project are not installed, so there is no link to its program.
    const contract = ['node_modules/lumenize-rpc/dist/contract-program.js', 'contract'];
    // The contract is written as at the previous deployment.
    await run('node', contract, { cwd: project, env });
    for (const script of scripts) {
      const [program, ...args] = script.split(' ');
      if (program === 'npx')
        await run('node', [...contract, ...args.slice(2)], { cwd: project, env });
      else if (args[0] !== 'test') await run('npm', args, { cwd: project, env });
    }
    await run('wrangler', ['deploy', '--dry-run', '-c', 'perf/wrangler.jsonc'], {
      cwd: project,
      env,
    });
    const { out } = await testProject(project, '--reporter=verbose');
    expect(out).toContain('counts down');
  });

  test('is called by a page of another origin', async () => {
    rewrite(join(project, 'counter-client.ts'), [[/http:\/\/localhost:8787/, url]]);
    expect(await page.call('counter.increment()')).toBe(1);
  });

  test('has another page, which shows a live value', async () => {
    const { createRpcClient } = await clientOf(project);
    using counter = createRpcClient('COUNTER', 'my-counter', { baseUrl: url });
    const before = await counter.getValue();
    const tab = await browser.newPage();
    await tab.goto(`${url}/live`);
    const shown = () => tab.locator('body > output').textContent();
    await expect.poll(shown).toBe(`${before + 1}`);
    await counter.increment();
    await expect.poll(shown).toBe(`${before + 2}`);
    await tab.close();
  });

  test('is called from another Worker', async () => {
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

describe('a project that authenticates callers', () => {
  /** @type {string} */
  let project;

  beforeAll(async () => {
    project = await scaffold('authenticated');
    for (const block of forServer) apply(block, project);
  });

  test('refuses its own tests, which have no token', async () => {
    // One test for each transport suffices. Another test would wait for a live value until its timeout.
    const one = ['-t', 'reaches the same object'];
    const tests = testProject(project, 'test/counter.test.ts', ...one);
    await expect(tests).rejects.toThrow('The server answered 401: No such user');
  });

  test('passes its tests, and counts on its page, when both have a token', async () => {
    apply(forClients, project);
    for (const path of fs.globSync('test/*.test.ts', { cwd: project })) {
      rewrite(join(project, path), [
        [/(connect<\w+>\('\w+', (?:'[^']*'|`[^`]*`|\w+))(?=\))/g, "$1, { as: { user: 'Ada' } }"],
        [/(connect<\w+>\(.*?, \{) (?=transport)/g, "$1 as: { user: 'Ada' }, "],
      ]);
    }
    await check(project);
    await testProject(project);
    const { url } = await startDevServer(project, [], env);
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole('button', { name: 'Increment', exact: true }).click();
    await expect.poll(() => page.locator('#value').textContent()).toBe('1');
    await page.close();
    await stopAll();
  });
});

/** @param {string} project */
async function check(project) {
  await npm(project, 'typecheck');
  await npm(project, 'lint');
}

/**
 * Serves a page with its own origin, and with the client module from the guide.
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
      const page = await browser.newPage();
      await page.goto(origin);
      await page.evaluate(outputFiles[0].text);
      const answer = await page.evaluate('globalThis.answer');
      await page.close();
      return answer;
    },
  };
}

/**
 * @param {string} project
 * @returns {Promise<unknown>} the results of a correct and a wrong call from another Worker
 */
async function callFromOtherWorker(project) {
  const other = join(root, 'other');
  const [configuration, call] = sectionOf('Call your object').filter(
    ({ file, text }) => file?.startsWith('other/') || /^const .* env\./.test(text),
  );
  const [commands] = sectionOf('Another Worker');
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
  // The settings of Cloudflare's own template, and the settings that the guide adds.
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
  linkPackages(other, join(project, 'vendor/lumenize-rpc'));
  const [types, dev] = commands.text.split('\n').map(
    (line) =>
      line
        .replace('my-app', 'changed')
        .match(/-c \S+/g)
        ?.join(' ')
        .split(' ') ?? [],
  );
  await run('wrangler', ['types', ...types], { cwd: other, env });
  await tsc(other);
  const { url } = await startDevServer(other, dev, env);
  return (await fetch(url)).json();
}
