/** The client part of the runtime in other kinds of projects, which are installed and built. */
import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { launchChromium } from '../../harness/browser.mjs';
import { startDevServer } from '../../harness/dev-server.mjs';
import { projects } from '../guides/project.mjs';
import { outsideEnvironment, run } from '../outside.mjs';
import { prepareProject, PROJECTS } from './projects.mjs';

const place = projects({ stopAfter: 'all' });
/** @type {NodeJS.ProcessEnv} */
const outside = { ...outsideEnvironment(place.root), NEXT_TELEMETRY_DISABLED: '1' };

test.each(Object.entries(PROJECTS))('%s', async (name, project) => {
  const { folder, template } = await prepareProject(name, place);
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env: outside });
  const PATH = `${join(folder, 'node_modules/.bin')}${delimiter}${outside['PATH']}`;
  for (const command of project.build) {
    const [program = '', ...args] = command.split(' ');
    await run(program, args, { cwd: folder, env: { ...outside, PATH } });
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
