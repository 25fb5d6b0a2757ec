/**
 * TypeScript 7 compiles and declares the types of the exports of a created project, with the options of other projects.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../setup/outside.mjs';
import { projects } from '../setup/projects.mjs';
import { compile, OPTIONS, projectOfAll } from './compilers.mjs';

/** This is 10 % more than the project takes. */
const INSTANTIATIONS = 125_000;

const place = projects({ stopAfter: 'all' });
/** @type {string} */
let project;

beforeAll(async () => {
  project = await projectOfAll(place);
});

test.each(Object.keys(OPTIONS))('%s', async (name) => {
  await compile(project, name, 7, place.env);
});

test('the types cost the compiler a bounded number of instantiations', async () => {
  const args = ['-p', '.', '--singleThreaded', '--extendedDiagnostics'];
  const { out } = await run('tsc', args, { cwd: project, env: place.env });
  // The number is equal on each machine. A type that is followed without need costs tens of thousands.
  expect(Number(/^Instantiations: +(\d+)/m.exec(out)?.[1])).toBeLessThan(INSTANTIATIONS);
});

test('the declarations name the types of users, and no file of the package', () => {
  const read = (/** @type {string} */ name) =>
    readFileSync(join(project, 'declarations/7/src', `${name}.d.ts`), 'utf8');
  expect(read('counter')).toContain('.RpcClass<typeof CounterImpl, {');
  const text = read('inferred-exports');
  expect(text).toContain('const counter: import("lumenize-rpc/client").RpcClient<Counter>');
  expect(text).toMatch(/const session: .*RpcCapability<import\("\.\/bank\.\w+"\)\.Session>>/);
  expect(text).not.toContain('dist/');
});
