/** Checks the types of the client with the settings of other kinds of projects. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projects } from '../setup/projects.mjs';
import { run } from '../setup/outside.mjs';
import { prepareProject, PROJECTS } from './projects.mjs';

const place = projects({ stopAfter: 'all' });

test.each(Object.entries(PROJECTS))('%s', async (name, project) => {
  const { folder } = await prepareProject(name, place);
  // The types of the framework are left out, because they are not installed here.
  const compilerOptions = { ...project.options, types: [], plugins: [], noEmit: true };
  const include = [`${project.folder}/**/*.ts`];
  // This file is the composable for Vue.
  const exclude = ['**/use-store.ts'];
  const config = JSON.stringify({ compilerOptions, include, exclude });
  fs.writeFileSync(join(folder, 'tsconfig.json'), config);
  const { all } = await run('tsc', ['-p', '.', '--listFiles'], { cwd: folder, env: place.env });
  expect(all).toContain('lumenize-rpc/dist/client.d.ts');
});
