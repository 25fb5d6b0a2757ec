/**
 * Inserts the code of the guides into scaffolded projects, at the places that the guides name. It compiles, and its
 * objects are called. `walks.slow.test.mjs` continues with these projects.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Runtime } from '../../harness/runtime.ts';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { apply, blocksOf, guides, moduleOf } from './blocks.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import {
  addRecipes,
  addition,
  addToProject,
  answers,
  AUTHENTICATION,
  features,
  first,
  FOLLOWED,
  forServer,
  http,
  objectToObject,
  openapi,
  recipes,
  rewrite,
  sectionOf,
  serverSentEvents,
  tokenOptions,
} from './sections.mjs';

const { env, scaffold, npm, tsc } = projects({ stopAfter: 'each' });
const blocks = guides.flatMap(blocksOf);

test('code that names a file is in a section that a test follows', () => {
  // `e2e/projects/add.slow.test.mjs` follows the blocks for existing projects.
  const others = [
    first,
    objectToObject,
    openapi,
    serverSentEvents,
    http,
    recipes,
    features,
    addition,
    ...Object.values(answers),
  ];
  const all = [...FOLLOWED.flatMap(sectionOf), ...others.flat()];
  const followed = new Set(all.map(({ guide, line }) => guide + line));
  const left = blocks.filter(({ file, guide, line }) => file && !followed.has(guide + line));
  expect(left).toEqual([]);
});

describe('a project changed as the guide says', () => {
  /** @type {string} */
  let project;

  beforeAll(async () => {
    project = await scaffold('changed');
    addToProject(project);
    addRecipes(project);
    for (const block of features) apply(block, project);
    // The component for React imports this file. A project with the React page has it.
    const clients = 'src/ui/clients.ts';
    cpSync(join(REPOSITORY, 'examples/ui/react/files', clients), join(project, clients));
    await npm(project, 'types');
  });

  // One run of the compiler checks both, because the compiler takes most of the time.
  test('compiles, and code that names no file compiles with the imports that it leaves out', async () => {
    const fragments = blocks.filter(({ language, file }) => language === 'ts' && !file);
    expect(fragments.length).toBeGreaterThan(3);
    for (const fragment of fragments) {
      const name = `${fragment.guide.replaceAll('/', '-')}-${fragment.line}.ts`;
      write(join(project, 'src', name), moduleOf(fragment));
    }
    await tsc(project, '.', '--jsx', 'react-jsx');
  });

  test('compiles with the programs beside it', async () => {
    await tsc(project, 'tsconfig.node.json');
  });

  test('has a further method and another Durable Object, and is called from Node', async () => {
    const runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
    onTestFinished(() => runtime.stop());
    const { url: baseUrl } = runtime;
    const { createRpcClient } = await clientOf(project);
    using counter = createRpcClient('COUNTER', 'down', { baseUrl });
    expect(await counter.decrement(2)).toBe(-2);
    using notes = createRpcClient('NOTES', 'my-notes', { baseUrl });
    expect(await notes.add('hello')).toMatch(/^[0-9a-f-]{36}$/);
    await expect(notes.add('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    const forNode = { ...env, BASE_URL: baseUrl };
    expect((await run('node', ['call.ts'], { cwd: project, env: forNode })).out).toBe('1\n');
  });
});

test('the program of the README runs in a new project, and prints the output that the README shows', async () => {
  const project = await scaffold('first');
  const [program, ...others] = first;
  expect(others).toEqual([]);
  apply(program, project);
  await tsc(project, 'tsconfig.node.json');
  const runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
  onTestFinished(() => runtime.stop());
  const { file = '', guide, line } = program;
  rewrite(join(project, file), [[/http:\/\/localhost:8787/, runtime.url]]);
  const printed = blocks.find((block) => block.guide === guide && block.line > line);
  expect(printed?.language).toBe('');
  expect((await run('node', [file], { cwd: project, env })).out).toBe(printed?.text);
});

test('a project that authenticates callers refuses others, and its methods know the caller', async () => {
  const project = await scaffold('authenticated');
  for (const block of forServer) apply(block, project);
  const expression = 'currentCaller<{ user: string }>()?.user';
  expect(readFileSync(join(REPOSITORY, AUTHENTICATION), 'utf8')).toContain(expression);
  rewrite(join(project, 'src/counter.ts'), [
    [/^(import \{.*)lumenizeRpcDO/m, '$1currentCaller, lumenizeRpcDO'],
    [/ {2}reset\(\):/, `  whoAmI(): string {\n    return ${expression} ?? 'nobody';\n  }\n\n$&`],
    [/ {2}reset: \[\]/, '  whoAmI: [],\n$&'],
  ]);
  await tsc(project);
  const runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
  onTestFinished(() => runtime.stop());
  const { url: baseUrl } = runtime;
  const { createRpcClient } = await clientOf(project);
  const refused = {
    code: 'UNAUTHORIZED',
    message: `The server answered 401: No such user (${baseUrl}/__rpc/COUNTER/mine/call)`,
  };
  for (const transport of ['websocket', 'http']) {
    using stranger = createRpcClient('COUNTER', 'mine', { baseUrl, transport });
    await expect(stranger.whoAmI()).rejects.toMatchObject(refused);
  }
  expect(tokenOptions).toHaveLength(2);
  for (const options of tokenOptions) {
    using ada = createRpcClient('COUNTER', 'mine', { baseUrl, ...options });
    expect(await ada.whoAmI()).toBe('Ada');
  }
});
