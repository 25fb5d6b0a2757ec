/**
 * Tests the examples in projects. They pass their checks if a project was created with them and if they were added to
 * it, with the React page, and with the compiler options of other projects.
 */
import * as fs from 'node:fs';
import { join, posix } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseJsonc } from '../../harness/jsonc.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { add, ALL, ANSWERS, EXAMPLES, objectsOf, runProgram, tests } from './added.mjs';
import { projects, write } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { filesOfGit, run } from '../setup/outside.mjs';

const { env, root, scaffoldBare, testProject, tsc } = projects({ stopAfter: 'all' });

const OBJECTS = ALL.flatMap((name) => objectsOf(name));

/** Two projects with one name, so that their files can be compared. */
const created = create('created/shop', ['--ui', 'plain', '--example', ALL.join()]);
const added = create('added/shop');

test('a project to which the examples are added one after another equals a project that is created with them', async () => {
  /** @type {Record<string, string>} */
  const programs = {};
  const project = await added;
  for (const name of ALL) programs[name] = await add(project, [name], env);
  await types(project);
  const [one, other] = [contentsOf(project), contentsOf(await created)];
  for (const files of [one, other]) {
    const { exports } = parseJsonc(files['wrangler.jsonc'] ?? '');
    const classes = OBJECTS.map((object) => object.class);
    const live = { type: 'durable-object', storage: 'sqlite' };
    expect(exports).toEqual(
      Object.fromEntries(['Counter', ...classes].map((name) => [name, live])),
    );
  }
  expect(one).toEqual(other);

  const runtime = await Runtime.serve({ config: join(project, 'wrangler.jsonc') });
  onTestFinished(() => runtime.stop());
  for (const [name, program] of Object.entries(programs)) {
    const answer = await runProgram(program, project, runtime.url, env);
    expect([name, answer]).toEqual([name, ANSWERS[name]]);
  }
});

test('the project passes its checks, and can be deployed', async () => {
  const project = await created;
  for (const part of ['.', 'src/page', 'tsconfig.node.json']) await tsc(project, part);
  await run('oxlint', ['--deny-warnings'], { cwd: project, env });
  const { out } = await testProject(project);
  for (const file of tests()) expect(out).toContain(`test/${file}.test.ts`);
  const { all } = await run('wrangler', ['deploy', '--dry-run'], { cwd: project, env });
  for (const { class: name, binding } of OBJECTS) expect(all).toContain(`env.${binding} (${name})`);
  expect(all).not.toContain('WARNING');
  // The scripts of the pages were built.
  expect(fs.readdirSync(join(project, 'public'))).toEqual(
    expect.arrayContaining(['app.js', 'digits.js', 'meter.js', 'room.js']),
  );
});

test.each(['zod', 'valibot', 'arktype'])('a project with %s passes its checks', async (library) => {
  const project = await create(library, [
    '--ui',
    'plain',
    '--schemas',
    library,
    '--example',
    ALL.join(),
  ]);
  fs.rmSync(join(project, 'node_modules/typebox'));
  for (const part of ['.', 'src/page', 'tsconfig.node.json']) await tsc(project, part);
  await run('oxlint', ['--deny-warnings'], { cwd: project, env });
  const { out } = await testProject(project);
  for (const file of ['counter', ...tests()]) expect(out).toContain(`test/${file}.test.ts`);
});

test('the types of a project with React, the room and the board are correct, and its page is built', async () => {
  const project = await create('react', ['--example', 'room,board']);
  // This repository has neither the types of react-dom nor the plugins for Vite.
  write(join(project, 'src/ui/react-dom.d.ts'), "declare module 'react-dom/client';\n");
  write(join(project, 'vite.config.ts'), 'export default {};\n');
  for (const part of ['.', 'src/ui']) await tsc(project, part);
  await run('oxlint', ['--deny-warnings'], { cwd: project, env });
  const { all } = await run('vite', ['build'], { cwd: project, env });
  expect(all).toMatch(/dist\/assets\/.*\.js/);
  const script = fs.readdirSync(join(project, 'dist/assets')).find((file) => file.endsWith('.js'));
  const text = fs.readFileSync(join(project, 'dist/assets', `${script}`), 'utf8');
  for (const binding of ['ROOM', 'BOARD']) expect(text).toContain(`"${binding}"`);
  // The page does not include the classes of the Worker.
  expect(text).not.toContain('CREATE TABLE');
});

test('all examples pass the type checks of another project, which are stricter and target an older language', async () => {
  const project = join(root, 'other');
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022'],
    module: 'nodenext',
    types: ['@cloudflare/workers-types', '@cloudflare/vitest-plugin/types', 'node'],
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
  };
  const devDependencies = { '@cloudflare/vitest-plugin': '*' };
  write(join(project, 'package.json'), JSON.stringify({ type: 'module', devDependencies }));
  write(join(project, 'wrangler.jsonc'), '{ "name": "other", "main": "worker/main.ts" }');
  write(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  write(
    join(project, 'worker/main.ts'),
    `export default {
  async fetch(request, env): Promise<Response> {
    return new Response(request.url);
  },
} satisfies ExportedHandler<Cloudflare.Env>;
`,
  );
  linkPackages(project);
  write(join(project, 'call.ts'), await add(project, ALL, env));
  await types(project);
  await tsc(project);
});

test.each(['counter', ...ALL])('%s needs no other example', (name) => {
  const paths = filesOfGit(`examples/${name}`).map((path) =>
    posix.relative(`examples/${name}`, path),
  );
  const bindings = objectsOf(name).map(({ binding }) => binding);
  for (const path of paths.filter((one) => /\.tsx?$/.test(one))) {
    const text = fs.readFileSync(join(EXAMPLES, name, path), 'utf8');
    for (const [, imported = ''] of text.matchAll(/ from '(\..*)';$/gm)) {
      const file = posix.join(posix.dirname(path), imported);
      // The pages of a project share these modules.
      const isOfProject = /^src\/(page|ui)\/|template\/src\/counter\.ts$/.test(file);
      if (!isOfProject) expect(paths).toContain(file);
    }
    for (const [, binding] of text.matchAll(/\benv\.([A-Z]+)/g))
      expect(bindings).toContain(binding);
  }
});

/**
 * @param {string} name
 * @param {string[]} [options]
 * @returns {Promise<string>} the folder of a project that has everything except the files under test
 */
async function create(name, options) {
  const project = await scaffoldBare(name, options);
  linkPackages(project);
  await types(project);
  return project;
}

/** @param {string} project */
function types(project) {
  return run('wrangler', ['types', '--include-runtime=false'], { cwd: project, env });
}

/**
 * @param {string} project
 * @returns {Record<string, string>} its texts by path
 */
function contentsOf(project) {
  // The search skips `node_modules`, in whose targets browsers of other tests create and remove files.
  const own = fs
    .readdirSync(project)
    .filter((name) => !['node_modules', 'vendor', '.wrangler'].includes(name));
  const paths = own.flatMap((name) =>
    fs.statSync(join(project, name)).isFile()
      ? [name]
      : fs
          .readdirSync(join(project, name), { recursive: true, encoding: 'utf8' })
          .map((path) => posix.join(name, path))
          .filter((path) => fs.statSync(join(project, path)).isFile()),
  );
  return Object.fromEntries(
    paths.map((path) => [path, fs.readFileSync(join(project, path), 'utf8')]),
  );
}
