/**
 * Runs `--add` in templates of create-cloudflare: they pass their checks, and clients can call the added object.
 * docs/decisions/scaffolder.md lists the other projects that were tried.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { addObject, apply } from '../guides/blocks.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { addition } from '../guides/sections.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

const { root, env, tsc } = projects({ stopAfter: 'each' });
const PROGRAM = join(REPOSITORY, 'scaffolder/index.mjs');
const TEMPLATES = join(REPOSITORY, 'node_modules/create-cloudflare/templates');

/** Another object as a user writes it after `--add`, with the imports of this project and its type of the bindings. */
const NOTES = `import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, type RpcObject } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

export class NotesImpl extends DurableObject {
  add(text: string): string {
    const id = crypto.randomUUID();
    this.ctx.storage.kv.put(\`note:\${id}\`, text);
    return id;
  }

  list(): string[] {
    return Array.from(this.ctx.storage.kv.list<string>({ prefix: 'note:' }), ([, text]) => text);
  }
}

export const Notes = lumenizeRpcDO(NotesImpl, {
  add: [Type.String({ minLength: 1, maxLength: 1000 })],
  list: read(),
});
export type Notes = RpcObject<typeof Notes>;
`;

/**
 * @param {string} name - the name of a template
 * @returns {string} a project with the packages of this repository
 */
function project(name) {
  const folder = join(root, name);
  fs.cpSync(join(TEMPLATES, name, 'ts'), folder, { recursive: true });
  for (const path of ['package.json', 'wrangler.jsonc']) {
    const text = fs.readFileSync(join(folder, path), 'utf8');
    const filled = text.replaceAll('<COMPATIBILITY_DATE>', '2026-10-01');
    write(join(folder, path), filled.replaceAll(/<(?:WORKER|PACKAGE)_NAME>/g, name));
  }
  const options = join(folder, 'tsconfig.json');
  const text = fs.readFileSync(options, 'utf8');
  // create-cloudflare adds this line to a template that lacks it.
  const types = '"compilerOptions": { "types": ["./worker-configuration.d.ts"],';
  const typed = text.includes('configuration.d.ts') ? text : text.replace(/"comp.*\{/, types);
  // The TypeScript of this repository no longer has the earlier value.
  write(options, typed.replace('"moduleResolution": "node"', '"moduleResolution": "bundler"'));
  linkPackages(folder);
  return folder;
}

/** @param {string} folder - the folder of a project */
async function check(folder) {
  await run('wrangler', ['types'], { cwd: folder, env });
  await tsc(folder);
}

/** @param {string} folder - the folder of a project */
async function add(folder) {
  const args = [PROGRAM, folder, '--add', '--yes'];
  const { out } = await run(process.execPath, args, { cwd: root, env });
  expect(out).not.toContain('yourself:');
}

/** @param {string} folder - the folder of a project */
async function callCounter(folder) {
  const runtime = await Runtime.serve({ config: join(folder, 'wrangler.jsonc') });
  onTestFinished(() => runtime.stop());
  const { createRpcClient } = await clientOf(folder);
  for (const transport of ['websocket', 'http']) {
    using counter = createRpcClient('COUNTER', transport, { baseUrl: runtime.url, transport });
    expect(await counter.increment(2)).toBe(2);
  }
  return runtime.url;
}

test('a Worker with an old lib still passes its tests and a new test, and accepts another object', async () => {
  const folder = project('hello-world');
  const options = join(folder, 'tsconfig.json');
  const old = fs.readFileSync(options, 'utf8').replace('["es2024"]', '["es2021"]');
  expect(old).toContain('es2021');
  write(options, old);
  await add(folder);
  for (const block of addition) apply(block, folder);
  write(join(folder, 'src/notes.ts'), NOTES);
  addObject(folder, 'Notes', './notes');
  await check(folder);
  const { out } = await run('vitest', ['run'], { cwd: folder, env });
  expect(out).toContain('test/index.spec.ts');
  expect(out).toContain('test/counter.spec.ts');
  await run('wrangler', ['deploy', '--dry-run'], { cwd: folder, env });

  const url = await callCounter(folder);
  const call = join(folder, 'call.ts');
  write(call, fs.readFileSync(call, 'utf8').replace('http://localhost:8787', url));
  expect((await run('node', ['call.ts'], { cwd: folder, env })).out).toBe('1\n');
  const { createRpcClient } = await clientOf(folder);
  using notes = createRpcClient('NOTES', 'my-notes', { baseUrl: url });
  await notes.add('Hello');
  expect(await notes.list()).toEqual(['Hello']);
  await expect(notes.add('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('a Worker with a Durable Object of its own answers as before, and also answers calls', async () => {
  const folder = project('hello-world-durable-object');
  await add(folder);
  await check(folder);
  const url = await callCounter(folder);
  expect(await (await fetch(url)).text()).toBe('Hello, world!');
});
