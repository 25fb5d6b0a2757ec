/**
 * Follows the guides that change a project. The project passes its checks, and the code of the guides runs in the
 * Workers runtime. The page about cookies has a project of its own, with a real browser.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { launchChromium } from '../../harness/browser.mjs';
import { startDevServer } from '../../harness/dev-server.mjs';
import { addObject, apply } from './blocks.mjs';
import { projects, write } from '../setup/projects.mjs';
import { addRecipes, cookie, hooks, rewrite } from './sections.mjs';

const { env, scaffold, npm, testProject } = projects({ stopAfter: 'all' });

test('a project changed as the guides say passes its checks, and works as they say', async () => {
  const project = await scaffold('recipes');
  addRecipes(project);
  addObject(project, 'Room', './rooms.ts');
  const tests = join(import.meta.dirname, 'recipes-in-workers.ts');
  copyFileSync(tests, join(project, 'test/recipes.test.ts'));
  await npm(project, 'types');
  await npm(project, 'typecheck');
  await npm(project, 'lint');
  await testProject(project, 'test/how-to', 'test/recipes');
});

test('a page with a valid cookie is let in, without a cookie or with a changed one it is not, and a cron runs', async () => {
  const project = await scaffold('cookie');
  addRecipes(project);
  for (const block of [...cookie, ...hooks]) if (block.place) apply(block, project);
  rewrite(join(project, 'src/counter.ts'), [
    [/^(import \{.*)lumenizeRpcDO/m, '$1currentCaller, lumenizeRpcDO'],
    [
      / {2}reset\(\):/,
      "  whoAmI(): string {\n    return currentCaller<{ user: string }>()?.user ?? '';\n  }\n\n$&",
    ],
    [/ {2}reset: \[\]/, '  whoAmI: [],\n$&'],
  ]);
  await npm(project, 'types');
  await npm(project, 'typecheck');
  const { url } = await startDevServer(project, [], env);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(await clientScript(project));
  /** @param {string} transport */
  const whoAmI = (transport) =>
    page.evaluate(`whoAmI(${JSON.stringify(transport)}).catch(({ code }) => code)`);
  const logIn = (/** @type {string} */ password) =>
    page.evaluate(
      `fetch('/login', { method: 'POST', body: new URLSearchParams({ password: '${password}' }) })
        .then(({ status }) => status)`,
    );
  expect(await logIn('a guess')).toBe(401);
  expect(await whoAmI('websocket')).toBe('UNAUTHORIZED');
  expect(await logIn('secret-of-ada')).toBe(200);
  for (const transport of ['websocket', 'http']) expect(await whoAmI(transport)).toBe('Ada');
  expect((await fetch(`${url}/cdn-cgi/handler/scheduled`)).status).toBe(200);
  expect(await page.evaluate('daysCounted()')).toBe(1);

  const [{ value, ...session }] = /** @type {any[]} */ (await context.cookies());
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' });
  // The signature is a list of bytes. This changes the last byte.
  const resigned = value.replace(/\d+$/, (/** @type {string} */ byte) => `${255 - Number(byte)}`);
  for (const changed of [value.replace('Ada', 'Bob'), resigned, 'Ada|9|1']) {
    await context.addCookies([{ ...session, value: changed }]);
    for (const transport of ['websocket', 'http']) {
      expect(await whoAmI(transport)).toBe('UNAUTHORIZED');
    }
  }
});

/** @param {string} project */
async function clientScript(project) {
  const source = `import { createRpcClient } from 'lumenize-rpc/client';
globalThis.daysCounted = () => createRpcClient('COUNTER', 'days').getValue();
globalThis.whoAmI = async (transport) => {
  const counter = createRpcClient('COUNTER', 'mine', { transport });
  try { return await counter.whoAmI(); } finally { counter.close(); }
};`;
  write(join(project, 'page-of-test.ts'), source);
  const { outputFiles } = await build({
    entryPoints: [join(project, 'page-of-test.ts')],
    bundle: true,
    write: false,
  });
  return outputFiles[0].text;
}
