/**
 * Tests a project without TypeBox, whose schemas are of another library. It compiles, also with the declarations of its
 * packages, its calls are typed, and its Worker can be bundled.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { write } from '../setup/projects.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { pack, temporaryPlace } from './place.mjs';

const CONTRACT = `import { DurableObject } from 'cloudflare:workers';
import {
  callback, events, feed, type Feed, live, lumenizeRpcDO, routeDORequest, type RpcObject, rows, streamOf,
} from 'lumenize-rpc/server';
import * as z from 'zod';

interface Env { COUNTER: DurableObjectNamespace<Counter> }

class CounterImpl extends DurableObject<Env> {
  increment(by: number): number { return by; }
  write(day: Date, page: { text: string; mood: 'good' | 'bad' }): string { return page.text + day; }
  value(): number { return 1; }
  news(): Feed<string> { return feed(this, 'news'); }
  *list(_after?: string): Iterable<{ id: string }> {}
  watch(_on: (percent: number) => Promise<boolean>, _done: () => void): void {}
  upload(_lines: AsyncIterable<string>): void {}
}

export const Counter = lumenizeRpcDO(CounterImpl, {
  increment: [z.int().default(1)],
  write: [
    z.iso.date().transform((text) => new Date(text)),
    z.object({ text: z.string(), mood: z.enum(['good', 'bad']).default('good') }),
  ],
  value: live([], { output: z.number() }),
  news: events(),
  list: rows('id', [z.string().optional()]),
  watch: [callback([z.number()], z.boolean()), callback()],
  upload: [streamOf(z.string())],
});
export type Counter = RpcObject<typeof Counter>;

lumenizeRpcDO(CounterImpl, {
  // @ts-expect-error the method takes a number
  increment: [z.string()],
});
lumenizeRpcDO(CounterImpl, {
  // @ts-expect-error no such method
  missing: [],
});

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return (await routeDORequest(request, env, { bindings: ['COUNTER'] })) ?? new Response('');
  },
};
`;

const CLIENT = `import { callback, createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Counter } from './counter.ts';

const counter = createRpcClient<Counter>('COUNTER', 'own', { baseUrl: 'http://localhost' });
export const sum: Promise<number> = counter.increment(counter.increment());
export const text: Promise<string> = counter.write('2026-12-24', { text: 'Snow' });
export const watched: Promise<void> = counter.watch(
  callback((percent) => percent.toFixed() === '1'),
  callback(() => {}),
);
export async function first(): Promise<number | undefined> {
  for await (const value of subscribe(counter).value()) return value;
  return undefined;
}
// @ts-expect-error not a number
void counter.increment('one');
// @ts-expect-error the day is a text for clients
void counter.write(new Date(), { text: 'Snow' });
// @ts-expect-error no such method
void counter.decrement();
// @ts-expect-error the result is a number
export const wrong: Promise<string> = counter.increment();
`;

const place = temporaryPlace('package-without-typebox');
const packages = join(place.root, 'node_modules');
fs.mkdirSync(join(packages, '@cloudflare'), { recursive: true });
const { tarball } = await pack(place);
await run('tar', ['-xzf', tarball, '-C', packages], { cwd: place.root, env: place.env });
fs.renameSync(join(packages, 'package'), join(packages, 'lumenize-rpc'));
for (const name of ['zod', '@cloudflare/workers-types'])
  fs.cpSync(join(REPOSITORY, 'node_modules', name), join(packages, name), { recursive: true });
write(join(place.root, 'counter.ts'), CONTRACT);
write(join(place.root, 'client.ts'), CLIENT);
write(
  join(place.root, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['@cloudflare/workers-types'],
    },
    include: ['*.ts'],
  }),
);

test.each([
  ['TypeScript 5', 'e2e/compilers/typescript-5'],
  ['TypeScript 6', 'e2e/compilers/typescript-6'],
  ['TypeScript 7', ''],
])('%s compiles the project', async (_, installed) => {
  const program = join(REPOSITORY, installed, 'node_modules/typescript/bin/tsc');
  await run('node', [program, '-p', '.', '--pretty', 'false'], { cwd: place.root, env: place.env });
});

test('its Worker can be bundled', async () => {
  const { metafile } = await build({
    entryPoints: [join(place.root, 'counter.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    external: ['cloudflare:*'],
  });
  expect(Object.keys(metafile.inputs).join()).toContain('zod');
});
