/**
 * Follows the pages about other programs, each in a project of its own: better-auth with a real database, uploads with
 * signed URLs, Sentry's reports, and Playwright.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { expect, onTestFinished, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stop } from '../../harness/guarded-process.mjs';
import { chromiumOptions } from '../../harness/browser.mjs';
import { run } from '../setup/outside.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { addObject, apply } from './blocks.mjs';
import { answers, rewrite } from './sections.mjs';

const { env, scaffold, npm } = projects({ stopAfter: 'each' });

/**
 * @param {string} page
 * @param {Record<string, string>} [variables] - the variables in `.dev.vars`
 * @param {(project: string) => void} [change]
 */
async function follow(page, variables = {}, change = () => {}) {
  const project = await scaffold(page);
  for (const block of answers[page] ?? []) apply(block, project);
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  write(join(project, '.dev.vars'), lines.join(''));
  change(project);
  await npm(project, 'types');
  await npm(project, 'typecheck');
  const { url: baseUrl } = await startDevServer(project, [], env);
  const api = await clientOf(project);
  return { project, baseUrl, api };
}

/**
 * Starts a server on a free port until the test ends.
 *
 * @param {import('node:http').RequestListener} listener
 */
async function listen(listener) {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** @param {AsyncIterable<Buffer>} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('Sentry receives an error that a method throws once, with its stack', async () => {
  /** @type {string[]} */
  const envelopes = [];
  const ingest = await listen(async (request, response) => {
    envelopes.push(`${await bodyOf(request)}`);
    response.end('{}');
  });
  const dsn = ingest.replace('//', '//key@') + '/1';
  const { api, baseUrl } = await follow('sentry', { SENTRY_DSN: dsn }, (project) => {
    addObject(project, 'Orders', './orders.ts');
    rewrite(join(project, 'src/index.ts'), [
      [
        /export default (\{[\s\S]*?^\}) satisfies/m,
        'export default withSentry(sentryOptions, $1 satisfies',
      ],
      [/(satisfies ExportedHandler<Env>);/, '$1);'],
    ]);
  });
  for (const transport of ['websocket', 'http']) {
    using orders = api.createRpcClient('ORDERS', 'main', { baseUrl, transport });
    await expect(orders.pay(transport)).rejects.toThrow(`No order ${transport}`);
    const reports = () =>
      envelopes.filter((envelope) => envelope.includes(`"value":"No order ${transport}"`));
    await expect.poll(() => reports().length).toBe(1);
    expect(reports()[0]).toMatch(/"function":"[\w.]*pay"/);
    expect(reports()[0]).toContain('"method":"pay"');
  }
});

/** The page of better-auth names this port, which another program may use here. */
const AT_HOME = 'http://localhost:8787';

test('better-auth accepts a user with a cookie or a token, until the logout', async () => {
  const { api, baseUrl } = await follow(
    'better-auth',
    { BETTER_AUTH_SECRET: crypto.randomUUID() + crypto.randomUUID(), BETTER_AUTH_URL: AT_HOME },
    (project) => {
      rewrite(join(project, 'src/counter.ts'), [
        [/^(import \{.*)lumenizeRpcDO/m, '$1currentCaller, lumenizeRpcDO'],
        [
          / {2}reset\(\):/,
          "  whoAmI(): string {\n    return currentCaller<{ user: string }>()?.user ?? '';\n  }\n\n$&",
        ],
        [/ {2}reset: \[\]/, '  whoAmI: [],\n$&'],
      ]);
      // The documentation of better-auth describes this change for D1.
      rewrite(join(project, 'src/index.ts'), [
        [/^export \{/m, "import { getMigrations } from 'better-auth/db/migration';\n$&"],
        [
          /async fetch\(request, env\) \{/,
          `$&
    if (new URL(request.url).pathname === '/tables') {
      await (await getMigrations(auth.options)).runMigrations();
      return new Response('made');
    }`,
        ],
      ]);
    },
  );
  expect(await (await fetch(`${baseUrl}/tables`)).text()).toBe('made');
  /** @param {string} path @param {object} body @param {Record<string, string>} [headers] */
  const post = (path, body, headers = {}) =>
    fetch(`${baseUrl}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: AT_HOME, ...headers },
      body: JSON.stringify(body),
    });
  /** @param {object} options */
  const whoAmI = async (options) => {
    using counter = api.createRpcClient('COUNTER', 'mine', { baseUrl, ...options });
    return await counter.whoAmI().catch((/** @type {any} */ { code }) => code);
  };
  for (const transport of ['websocket', 'http']) {
    expect(await whoAmI({ transport })).toBe('UNAUTHORIZED');
  }
  const login = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' };
  const signedUp = await post('sign-up/email', login);
  const { user, token } = /** @type {any} */ (await signedUp.json());
  expect(user?.id).toMatch(/^\w+$/);
  const wrong = await post('sign-in/email', { ...login, password: 'another password' });
  expect(wrong.status).toBe(401);

  const Cookie = signedUp.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  const Authorization = `Bearer ${token}`;
  const ways = [
    { protocols: [`token.${token}`] },
    { transport: 'http', headers: { Authorization } },
    { transport: 'http', headers: { Cookie } },
  ];
  for (const way of ways) expect(await whoAmI(way)).toBe(user.id);
  const changed = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
  expect(await whoAmI({ protocols: [`token.${changed}`] })).toBe('UNAUTHORIZED');
  expect((await post('sign-out', {}, { Authorization })).status).toBe(200);
  for (const way of ways) expect(await whoAmI(way)).toBe('UNAUTHORIZED');
});

test('a file is uploaded to R2 by a signed URL, and the object stores its key', async () => {
  const keys = { accessKeyId: 'key', secretAccessKey: crypto.randomUUID() };
  /** The address of the Worker. */
  let worker = '';
  // Does what R2 does: it checks the signature, and stores the file.
  const r2 = await listen(async (request, response) => {
    const { method, headers } = request;
    const url = new URL(request.url ?? '', `http://${headers.host}`);
    const date = url.searchParams.get('X-Amz-Date') ?? '';
    const sent = url.searchParams.get('X-Amz-Signature');
    url.searchParams.delete('X-Amz-Signature');
    for (const name of Array.from(url.searchParams.keys())) {
      if (name.startsWith('X-Amz-') && name !== 'X-Amz-Expires') url.searchParams.delete(name);
    }
    const signed = await new AwsClient({ ...keys, service: 's3', region: 'auto' }).sign(`${url}`, {
      method: method ?? '',
      headers: headers['content-type'] ? { 'Content-Type': headers['content-type'] } : {},
      aws: { signQuery: true, allHeaders: true, datetime: date },
    });
    const body = await bodyOf(request);
    const isRight = new URL(signed.url).searchParams.get('X-Amz-Signature') === sent;
    if (!isRight) return void response.writeHead(403).end('SignatureDoesNotMatch');
    const key = url.pathname.replace('/files/', '');
    const stored = await fetch(`${worker}/stored/${key}`, method === 'PUT' ? { method, body } : {});
    response.writeHead(stored.status).end(Buffer.from(await stored.arrayBuffer()));
  });
  const { api, baseUrl, project } = await follow(
    'large-files',
    {
      R2_URL: `${r2}/files`,
      R2_ACCESS_KEY_ID: keys.accessKeyId,
      R2_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    (folder) => {
      addObject(folder, 'Album', './album.ts');
      rewrite(join(folder, 'src/index.ts'), [
        [
          /async fetch\(request, env\) \{/,
          `$&
    const [, key] = new URL(request.url).pathname.split('/stored/');
    if (key && request.method === 'PUT') await env.FILES.put(key, request.body);
    if (key) return new Response((await env.FILES.get(key))?.body);`,
        ],
      ]);
    },
  );
  worker = baseUrl;
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const { addPhoto } = await import(join(project, 'src/upload.ts'));
  await addPhoto(new Blob([bytes], { type: 'image/png' }), baseUrl);
  using album = api.createRpcClient('ALBUM', 'mine', { baseUrl });
  const [photo, ...others] = await album.photos();
  expect(others).toEqual([]);
  expect(photo).toEqual({ key: expect.stringMatching(/^photos\//), size: bytes.length });
  const seen = await fetch(await album.view(photo.key));
  expect(new Uint8Array(await seen.arrayBuffer())).toEqual(bytes);

  const { key, url } = await album.upload('image/png');
  await expect(album.finish(key)).rejects.toThrow('The file has not arrived');
  await expect(album.finish('photos/other')).rejects.toThrow('No such upload');
  await expect(album.upload('text/html')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  const headers = { 'Content-Type': 'text/html' };
  for (const [address, given] of [
    [url, headers],
    [url.replace(key, 'photos/other'), { 'Content-Type': 'image/png' }],
  ]) {
    const response = await fetch(address, { method: 'PUT', headers: given, body: bytes });
    expect(response.status).toBe(403);
  }
});

test('the tests with Playwright pass, also while the connection is lost', async () => {
  const { project, baseUrl } = await follow('playwright', {}, () => {});
  const { args, executablePath } = await chromiumOptions();
  rewrite(join(project, 'playwright.config.ts'), [
    [
      /use: \{ baseURL \}/,
      `use: { baseURL, launchOptions: ${JSON.stringify({ args, executablePath })} }`,
    ],
  ]);
  const { out } = await run('playwright', ['test'], {
    cwd: project,
    env: { ...env, BASE_URL: baseUrl },
  });
  expect(out).toContain('2 passed');
});

test('a Worker without the package keeps its data, and the storage keeps nothing of the package', async () => {
  const project = await scaffold('leaving');
  const before = await startDevServer(project, [], env);
  const { createRpcClient } = await clientOf(project);
  using counter = createRpcClient('COUNTER', 'mine', { baseUrl: before.url });
  expect(await counter.increment(41)).toBe(41);
  counter.close();
  await stop(before.server);

  for (const block of answers['leaving'] ?? []) apply(block, project);
  for (const left of ['src/page', 'test', 'perf', 'node_modules/lumenize-rpc', 'vendor']) {
    rmSync(join(project, left), { recursive: true });
  }
  rewrite(join(project, 'wrangler.jsonc'), [[/^ *"build": \{.*\},?\n/m, '']]);
  rewrite(join(project, 'src/counter.ts'), [
    // Only this test reads the storage.
    [
      / {2}getValue\(\)/,
      '  stored(): string[] {\n    return Array.from(this.ctx.storage.kv.list(), ([key]) => key);\n  }\n\n$&',
    ],
  ]);
  rewrite(join(project, 'src/index.ts'), [
    [
      / {4}if \(method === 'value'\)/,
      "    if (method === 'stored') return Response.json(await counter.stored());\n$&",
    ],
  ]);
  await npm(project, 'types');
  await run('tsc', ['--noEmit', '-p', '.'], { cwd: project, env });
  const { url } = await startDevServer(project, [], env);
  const ask = async (/** @type {string} */ method, /** @type {string} */ body) => {
    const response = await fetch(
      `${url}/counter/mine/${method}`,
      body ? { method: 'POST', body } : {},
    );
    return `${response.status} ${await response.text()}`;
  };
  expect(await ask('value', '')).toBe('200 41');
  expect(await ask('add', '1')).toBe('200 42');
  for (const wrong of ['0', '1.5', '"1"', 'null']) expect(await ask('add', wrong)).toMatch(/^400/);
  expect(await ask('stored', '')).toBe('200 ["value"]');
});
