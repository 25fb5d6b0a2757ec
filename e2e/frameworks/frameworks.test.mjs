/** The client's half of the runtime in other kinds of projects, installed and built. */
import { delimiter, join } from 'node:path';
import { test } from 'vitest';
import { projects } from '../guides/project.mjs';
import { outsideEnvironment, run } from '../outside.mjs';
import { prepareProject, PROJECTS } from './projects.mjs';

const place = projects({ stopAfter: 'all' });
/** @type {NodeJS.ProcessEnv} */
const outside = { ...outsideEnvironment(place.root), NEXT_TELEMETRY_DISABLED: '1' };

test.each(Object.entries(PROJECTS))('%s', async (name, project) => {
  const folder = await prepareProject(name, place);
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env: outside });
  const PATH = `${join(folder, 'node_modules/.bin')}${delimiter}${outside['PATH']}`;
  for (const command of project.build) {
    const [program = '', ...args] = command.split(' ');
    await run(program, args, { cwd: folder, env: { ...outside, PATH } });
  }
});
