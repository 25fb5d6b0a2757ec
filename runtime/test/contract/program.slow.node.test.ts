/**
 * Runs the program `lumenize-rpc contract` as a process, in a project whose Worker it builds and
 * starts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'runtime/src/contract/program/main.ts');

// The project is below the repository, because it uses the repository's wrangler.
mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
const project = mkdtempSync(join(ROOT, 'node_modules/.cache/contract-'));
afterAll(() => rmSync(project, { recursive: true }));

const SOURCES = relative(project, join(ROOT, 'runtime/src'));

const CONFIG = `{
  "name": "contracts",
  "main": "worker.ts",
  "compatibility_date": "2026-11-01",
  "vars": { "LIMIT": "20", "NESTED": { "a": 1 } },
  "durable_objects": { "bindings": [{ "name": "ROOM", "class_name": "Room" }] },
  "exports": { "Room": { "type": "durable-object", "storage": "sqlite" } },
}`;

/** @param contract - the entries of the room's contract, as code */
const worker = (contract: string): string => `
import { DurableObject, env } from 'cloudflare:workers';
import { callback, events, feed, live, lumenizeRpcDO, read } from '${SOURCES}/server.ts';
import * as Type from '${SOURCES}/typebox.ts';
import text from './text.txt';

if (Number(env.LIMIT) !== 20 || env.NESTED.a !== 1 || !env.ROOM) throw new Error('no variables');
class RoomImpl extends DurableObject {
  post() { return text; }
  topic() {}
  posts() { return feed(this, 'posts'); }
}
export const Room = lumenizeRpcDO(RoomImpl, { ${contract} });
export class Other extends DurableObject {}
export const helper = () => {};
export default { fetch: () => new Response() };
`;

const BEFORE = 'post: [Type.String({ maxLength: 10 }), callback([Type.Number()])], topic: live()';

function write(path: string, text: string): void {
  writeFileSync(join(project, path), text);
}

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: project });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const fileText = (): string => readFileSync(join(project, 'contract.json'), 'utf8');

beforeEach(() => {
  for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true });
  write('wrangler.jsonc', CONFIG);
  write('text.txt', 'text');
  write('worker.ts', worker(BEFORE));
});

test('the program writes the contract, and then reports no changes', async () => {
  expect(await run('contract')).toEqual({
    code: 0,
    out: 'contract.json has the contracts of Room.\n',
    err: '',
  });
  expect(JSON.parse(fileText())).toEqual({
    about: expect.any(String),
    version: 1,
    classes: {
      Room: {
        bindings: ['ROOM'],
        methods: {
          post: {
            kind: 'call',
            input: [
              { schema: { type: 'string', maxLength: 10 } },
              {
                schema: {
                  type: 'function',
                  parameters: [{ type: 'number' }],
                  returnType: { type: 'void' },
                },
              },
            ],
          },
          topic: { kind: 'live', input: [] },
        },
      },
    },
  });
  expect(await run('contract', '--check')).toEqual({
    code: 0,
    out: 'The contract has not changed.\n',
    err: '',
  });
  // The program leaves nothing in the project.
  expect(
    readdirSync(project, { recursive: true }).filter((path) => `${path}`.includes('contract-')),
  ).toEqual([]);
});

describe('a change', () => {
  beforeEach(async () => {
    await run('contract');
    write(
      'worker.ts',
      worker(
        'post: [Type.String({ maxLength: 5 }), callback([Type.Number()])], topic: live(), posts: events()',
      ),
    );
  });

  test('that breaks something is reported until it is allowed', async () => {
    const before = fileText();
    const { code, out, err } = await run('contract', '--check');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('### `Room.post[0]`: accept fewer values in an argument\n');
    expect(out).toContain(
      '- **old page, new object** breaks: `INVALID_ARGUMENTS`, for example for `"aaaaaaaaaa"`: must have at most 5 characters',
    );
    expect(out).toContain('### `Room.posts`: add a method\n');
    expect(out).toContain('2 changes of the contract break something.');
    expect(fileText()).toBe(before);

    const ignored = await run(
      'contract',
      '--check',
      '--ignore',
      'new-page',
      '--ignore',
      'old-page',
    );
    expect(ignored.code).toBe(0);
    expect(ignored.out).toContain('Allowed:\n- `Room.post[0]`: accept fewer values in an argument');

    const [, name = ''] = /--allow "(Room.post.*?)"/.exec(out) ?? [];
    const allowed = await run('contract', '--check', '--allow', name, '--ignore', 'new-page');
    expect(allowed.code).toBe(0);
    expect(JSON.parse(fileText())).toMatchObject({ allowed: [name] });
    expect((await run('contract', '--check', '--ignore', 'new-page')).code).toBe(0);
    expect((await run('contract', '--check')).code).toBe(1);
    // Writing the file accepts all changes.
    await run('contract');
    expect(JSON.parse(fileText())).not.toHaveProperty('allowed');
    expect((await run('contract', '--check')).code).toBe(0);
  });

  test('that does not exist cannot be allowed', async () => {
    const before = fileText();
    const { code, err } = await run('contract', '--check', '--allow', 'Room.post method-removed');
    expect(code).toBe(2);
    expect(err).toContain('--allow Room.post method-removed: there is no such change');
    expect(fileText()).toBe(before);
  });
});

test('an environment has variables and bindings of its own, also in TOML', async () => {
  rmSync(join(project, 'wrangler.jsonc'));
  write(
    'wrangler.toml',
    `name = "contracts"
main = "worker.ts"
compatibility_date = "2026-11-01"

[exports.Room]
type = "durable-object"
storage = "sqlite"

[env.staging]
vars = { LIMIT = "20", NESTED = { a = 1 } }
durable_objects.bindings = [{ name = "ROOM", class_name = "Room" }]
`,
  );
  const without = await run('contract');
  expect(without).toMatchObject({ code: 2, out: '' });
  expect(without.err).toContain('no variables');
  expect(await run('contract', '--env', 'staging')).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(fileText())).toMatchObject({ classes: { Room: { bindings: ['ROOM'] } } });
  expect(await run('contract', '--check', '--env', 'staging')).toMatchObject({ code: 0, err: '' });
  const wrong = await run('contract', '--check', '--env', 'stagin');
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('stagin');
});

test('a contract of any size, and a variable with any character, are read', async () => {
  write('wrangler.jsonc', CONFIG.replace('"LIMIT"', '"COLOUR": "\\u001b[31m\\\\u0041", "LIMIT"'));
  write(
    'worker.ts',
    `${worker("post: [Type.Literal('é'.repeat(300_001))]")}
if (env.COLOUR !== '\\u001b[31m\\\\u0041') throw new Error('another colour');`,
  );
  expect(await run('contract')).toMatchObject({ code: 0, err: '' });
  expect(fileText()).toContain(`"${'é'.repeat(300_001)}"`);
});

describe('the program says why it cannot check', () => {
  test.each([
    ['no configuration', 'wrangler.jsonc', undefined, 'There is no wrangler.jsonc in'],
    [
      'a configuration without a Worker',
      'wrangler.jsonc',
      '{ "name": "x", "compatibility_date": "2026-11-01" }',
      'names no `main`',
    ],
    [
      'code that cannot be built',
      'worker.ts',
      'export const x = ;',
      'The Worker could not be built:',
    ],
    [
      'a Worker that throws',
      'worker.ts',
      'throw new Error("no key"); export class Room {} export default {};',
      'no key',
    ],
    ['a contract with a mistake', 'worker.ts', worker('missing: []'), 'The contract lists missing'],
    [
      'no class',
      'worker.ts',
      'export class Room {} export default { fetch: () => new Response() };',
      'exports no class of lumenizeRpcDO',
    ],
  ])('%s', async (_, path, text, problem) => {
    if (text === undefined) rmSync(join(project, path));
    else write(path, text);
    const { code, out, err } = await run('contract');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('lumenize-rpc: ');
    expect(err).toContain(problem);
    expect(readdirSync(project)).not.toContain('contract.json');
  });
});
