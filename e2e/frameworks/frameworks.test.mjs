/**
 * The client part of the runtime in other kinds of projects, which are built. One installation, in the folder
 * above them, has the dependencies of all.
 */
import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../harness/browser.mjs';
import { startDevServer } from '../../harness/dev-server.mjs';
import { projects, write } from '../guides/project.mjs';
import { outsideEnvironment, run } from '../outside.mjs';
import { prepareProject, PROJECTS } from './projects.mjs';

const place = projects({ stopAfter: 'all' });
/** With the installed programs in the path. @type {NodeJS.ProcessEnv} */
const env = outsideEnvironment(place.root);
env['PATH'] = `${join(place.root, 'node_modules/.bin')}${delimiter}${env['PATH']}`;
env['NEXT_TELEMETRY_DISABLED'] = '1';

beforeAll(async () => {
  const all = Object.values(PROJECTS).map(({ dependencies }) => dependencies);
  const dependencies = Object.assign({}, ...all);
  write(join(place.root, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', args, { cwd: place.root, env });
});

test.each(Object.entries(PROJECTS))('%s', async (name, project) => {
  const { folder, template } = await prepareProject(name, place);
  for (const command of project.build) {
    const [program = '', ...args] = command.split(' ');
    await run(program, args, { cwd: folder, env });
  }
  const { page, counted = '' } = project;
  if (page) await showsLiveValue(template, join(folder, page), counted);
});

/**
 * @param {string} template - the Worker's project
 * @param {string} page - folder of the built page, which the Worker serves
 * @param {string} counted - text of its button after a click
 */
async function showsLiveValue(template, page, counted) {
  cpSync(page, join(template, 'public'), { recursive: true });
  const { url } = await startDevServer(template, [], place.env);
  const browser = await launchChromium();
  try {
    const [one, other] = [await browser.newPage(), await browser.newPage()];
    for (const tab of [one, other]) {
      await tab.goto(url);
      await expect.poll(() => tab.textContent('button')).toBe('0');
    }
    await one.click('button');
    for (const tab of [one, other])
      await expect.poll(() => tab.textContent('button')).toBe(counted);
  } finally {
    await browser.close();
  }
}
