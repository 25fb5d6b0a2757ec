/** The programs of the package's pages call the objects of these pages, and print the output that the pages show. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readJsonc } from '../../harness/jsonc.mjs';
import { Runtime } from '../../harness/runtime.ts';
import { run } from '../setup/outside.mjs';
import { apply, blocksOf } from './blocks.mjs';
import { projects, write } from '../setup/projects.mjs';
import { features, rewrite } from './sections.mjs';

const { env, scaffold } = projects({ stopAfter: 'all' });

const programs = features.filter(({ file = '' }) => /^[\w-]+\.ts$/.test(file));
/** @type {string} */
let project;
/** @type {Runtime} */
let runtime;

beforeAll(async () => {
  project = await scaffold('features');
  for (const block of features) apply(block, project);
  // The pages leave out what is similar for each object: its export, its binding and its declaration.
  const objects = features.flatMap(({ file = '', text }) =>
    Array.from(text.matchAll(/^export const (\w+) = lumenizeRpcDO\(/gm), ([, name = '']) => ({
      name,
      module: file.slice('src/'.length),
    })),
  );
  const exports = objects.map(({ name, module }) => `export { ${name} } from './${module}';\n`);
  write(
    join(project, 'src/all.ts'),
    `import { routeDORequest } from 'lumenize-rpc/server';
${exports.join('')}
export default {
async fetch(request: Request, env: Env): Promise<Response> {
  return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
},
};
`,
  );
  const configuration = readJsonc(join(project, 'wrangler.jsonc'));
  const names = objects.map(({ name }) => name);
  write(
    join(project, 'all.jsonc'),
    JSON.stringify({
      name: 'all',
      main: 'src/all.ts',
      compatibility_date: configuration.compatibility_date,
      compatibility_flags: configuration.compatibility_flags,
      durable_objects: {
        bindings: names.map((name) => ({ name: name.toUpperCase(), class_name: name })),
      },
      exports: Object.fromEntries(
        names.map((name) => [name, { type: 'durable-object', storage: 'sqlite' }]),
      ),
    }),
  );
  runtime = await Runtime.serve({ config: join(project, 'all.jsonc') });
  return () => runtime.stop();
});

test('are found', () => expect(programs.length).toBeGreaterThan(8));

test.each(programs)(
  '$guide: $file prints the output of the page',
  async ({ guide, line, file = '' }) => {
    const printed = blocksOf(guide).find((block) => block.line > line);
    expect(printed?.language).toBe('');
    await runtime.check();
    rewrite(join(project, file), [[/http:\/\/localhost:8787/, runtime.url]]);
    const { out } = await run('node', [file], { cwd: project, env });
    expect(out).toBe(printed?.text);
  },
);
