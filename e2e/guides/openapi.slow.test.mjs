/** Follows the page on OpenAPI in a project: its document, and the generated clients for TypeScript and Python. */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { pythonPrograms } from '../../harness/python-client.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';
import { projects, write } from '../setup/projects.mjs';
import { apply, blocksOf } from './blocks.mjs';
import { OPENAPI, openapi, rewrite } from './sections.mjs';

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** The generator needs TypeScript 5, so it has the packages of that compiler. */
const GENERATOR = 'e2e/compilers/typescript-5/node_modules/openapi-typescript/bin/cli.js';

/** @type {string} */
let project;
/** @type {string} */
let url;

beforeAll(async () => {
  project = await scaffold('openapi');
  for (const block of openapi) apply(block, project);
  ({ url } = await startDevServer(project, [], env));
});

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(join(project, path), 'utf8'));

const blocks = blocksOf(OPENAPI);

/** @param {string} language - the language of a block whose output is in the next block, or the file of the block */
function outputOf(language) {
  const index = blocks.findIndex((block) => block.language === language || block.file === language);
  return blocks[index + 1]?.text;
}

/** @param {string} program - the program whose arguments the page has */
function argumentsOf(program) {
  const text = blocks.map((block) => block.text).join('');
  return new RegExp(`(?:^| -- )${program} (.*)$`, 'm').exec(text)?.[1]?.split(' ') ?? [];
}

test('the script writes the document that the Worker serves', async () => {
  const { out } = await run('node', ['write-openapi.ts'], { cwd: project, env });
  expect(out).toBe(outputOf('write-openapi.ts'));
  const served = await fetch(`${url}/__rpc/openapi.json`);
  expect(read('openapi.json')).toEqual(await served.json());
});

test('a client for TypeScript compiles, and its calls are answered', async () => {
  const args = [join(REPOSITORY, GENERATOR), ...argumentsOf('openapi-typescript')];
  await run('node', args, { cwd: project, env });
  rewrite(join(project, 'call-counter.ts'), [[/http:\/\/localhost:8787/, url]]);
  await npm(project, 'typecheck');
  const { out } = await run('node', ['call-counter.ts'], { cwd: project, env });
  expect(out).toBe(outputOf('call-counter.ts'));
});

test('the calls of a client for Python are answered', async (context) => {
  const programs = await pythonPrograms(context);
  const options = { cwd: project, env: { ...env, PATH: `${programs}${delimiter}${env['PATH']}` } };
  await run('openapi-python-client', argumentsOf('openapi-python-client'), options);
  const block = blocks.find(({ language }) => language === 'python');
  write(join(project, 'program.py'), block?.text.replace('http://localhost:8787', url) ?? '');
  const { out } = await run('python', ['program.py'], options);
  expect(out).toBe(outputOf('python'));
});
