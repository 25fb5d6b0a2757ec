/**
 * A client for TypeScript compiles, finds mistakes at compile time, and calls a real Worker. `openapi-typescript`
 * generates its types from the document, and `openapi-fetch` uses them.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../../harness/guarded-process.mjs';
import { serveLibrary } from './serve.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
/** The generator needs TypeScript 5. */
const GENERATOR = 'e2e/compilers/typescript-5/node_modules/openapi-typescript/bin/cli.js';

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const client = createClient<paths>({
  baseUrl: process.argv[2] ?? '',
  headers: { Authorization: 'Bearer secret' },
});
const params = { path: { instance: 'main' } };
const library = '/__rpc/LIBRARY/{instance}';
const answers: unknown[] = [];

const body = { isbn: '1', title: 'Dune', pages: 412, state: 'new' as const, authors: ['Herbert'] };
const header = { 'Idempotency-Key': 'b7c1b9d2-5d0e-4a43-8f0c-0e3b6f6d3a10' };
for (const _ of [1, 2]) {
  const added = await client.POST('/__rpc/LIBRARY/{instance}/add', { params: { ...params, header }, body });
  answers.push(added.data?.title.toUpperCase(), added.response.headers.get('Idempotency-Replayed'));
}
const followed = await client.GET('/__rpc/LIBRARY/{instance}/count', {
  params,
  headers: { Accept: 'text/event-stream' },
  parseAs: 'stream',
});
for await (const text of (followed.data as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
  const event = /^data: (.*)$/m.exec(text);
  if (!event) continue;
  answers.push(event[1]);
  break;
}
const counted = await client.GET('/__rpc/LIBRARY/{instance}/count', { params });
answers.push(counted.data?.toFixed(1));
const found = await client.GET('/__rpc/LIBRARY/{instance}/get', { params: { ...params, query: { isbn: '1' } } });
answers.push(found.data?.authors[0]?.length);
const missing = await client.GET('/__rpc/LIBRARY/{instance}/get', { params: { ...params, query: { isbn: '2' } } });
answers.push(missing.response.status, missing.error);
const listed = await client.POST('/__rpc/LIBRARY/{instance}/find', { params, body: { states: ['new'] } });
answers.push(listed.data?.map((book) => book.pages + 1));
const moved = await client.POST('/__rpc/LIBRARY/{instance}/move', { params, body: { from: 'a', to: 'b' } });
answers.push(moved.data?.length);
const added = await client.POST('/__rpc/LIBRARY/{instance}/sum', { params, body: [1, 2] });
answers.push(added.data);
const between = await client.POST('/__rpc/LIBRARY/{instance}/between', { params, body: [1, 3] });
answers.push(between.data?.map((number) => number * 2));
const queried = await client.GET('/__rpc/LIBRARY/{instance}/between', { params: { ...params, query: { args: '[1,3]' } } });
answers.push(queried.data);
const shelves = await client.GET('/__rpc/LIBRARY/{instance}/shelves', { params: { ...params, query: { depth: 2 } } });
answers.push(shelves.data?.shelves[0]?.shelves[0]?.name);
const lent = await client.POST('/__rpc/LIBRARY/{instance}/lend', { params, body: { isbn: '1', until: '2030-01-02' } });
answers.push(lent.data?.until.slice(0, 4), lent.data?.fee.length);
const burnt = await client.POST('/__rpc/LIBRARY/{instance}/burn', { params });
answers.push(burnt.error?.detail.length, burnt.error?.code);
const cleared = await client.POST('/__rpc/LIBRARY/{instance}/clear', { params });
answers.push(cleared.response.status, cleared.data);

// @ts-expect-error The title is missing.
const wrong = await client.POST('/__rpc/LIBRARY/{instance}/move', { params, body: { from: 'a' } });
answers.push(wrong.error?.code, wrong.error?.path);
// @ts-expect-error No such method.
answers.push((await client.POST('/__rpc/LIBRARY/{instance}/steal', { params })).response.status);
console.log(JSON.stringify(answers));
`;

test('a client for TypeScript compiles, and calls a Worker', async () => {
  const { url, folder } = await serveLibrary('typescript-client-');
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'client.ts'), PROGRAM);
  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder, output: 'pipe' });
  await node(join(REPOSITORY, GENERATOR), 'openapi.json', '--output', 'api.ts');
  const strict = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes';
  const options = `${strict} --noEmit --skipLibCheck --target es2024 --module nodenext --types node`;
  await node(
    join(REPOSITORY, 'node_modules/typescript/bin/tsc'),
    ...options.split(' '),
    '--allowImportingTsExtensions',
    'client.ts',
  );
  const { out } = await node('client.ts', url);
  expect(JSON.parse(out)).toEqual(
    [
      ['DUNE', null, 'DUNE', 'true'],
      ['1'],
      ['1.0', 7],
      [204, null],
      [[413], 13, 3, [2, 4], [1, 2], '0'],
      ['2030', 20],
      [19, 'FORBIDDEN'],
      [204, null],
      ['INVALID_ARGUMENTS', '[1]'],
      [404],
    ].flat(),
  );
});
