/**
 * Builds other kinds of projects with the client. One installation, in the folder above them, has the dependencies of
 * all.
 */
import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { outsideEnvironment, run } from '../setup/outside.mjs';
import { prepareProject, PROJECTS } from './projects.mjs';

const place = projects({ stopAfter: 'all' });
/** The environment has the installed programs in its path. @type {NodeJS.ProcessEnv} */
const env = outsideEnvironment(place.root);
env['PATH'] = `${join(place.root, 'node_modules/.bin')}${delimiter}${env['PATH']}`;
env['NEXT_TELEMETRY_DISABLED'] = '1';

const BUILT = Object.entries(PROJECTS).filter(([, { build }]) => build);

beforeAll(async () => {
  const all = BUILT.map(([, { dependencies }]) => dependencies);
  const dependencies = Object.assign({}, ...all);
  write(join(place.root, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', args, { cwd: place.root, env });
});

/** The folders of built pages. @type {Map<string, string>} */
const built = new Map();

test.each(BUILT)('%s', async (name, { build = [], page }) => {
  const { folder } = await prepareProject(name, place);
  for (const command of build) {
    const [program = '', ...args] = command.split(' ');
    await run(program, args, { cwd: folder, env });
  }
  if (page) built.set(name, join(folder, page));
});

describe('the Worker that serves the pages', () => {
  const pages = BUILT.filter(([, { page }]) => page);
  const browser = sharedBrowser();
  /** @type {string} */
  let project;
  /** @type {string} */
  let url;

  beforeAll(async () => {
    project = await place.scaffold('served');
    for (const [name, folder] of built) {
      // The names of the other files contain hashes.
      cpSync(folder, join(project, 'public'), { recursive: true });
      cpSync(join(folder, 'index.html'), join(project, `public/${plain(name)}.html`));
    }
    ({ url } = await startDevServer(project, [], place.env));
  });

  test.each(pages)('shows a live value: %s', async (name, { counted }) => {
    expect([...built.keys()]).toContain(name);
    const { createRpcClient } = await clientOf(project);
    using counter = createRpcClient('COUNTER', 'my-counter', { baseUrl: url });
    await counter.reset();
    const [one, other] = [await browser.newPage(), await browser.newPage()];
    for (const tab of [one, other]) {
      await tab.goto(`${url}/${plain(name)}`);
      await expect.poll(() => tab.textContent('button')).toBe('0');
    }
    await one.click('button');
    for (const tab of [one, other])
      await expect.poll(() => tab.textContent('button')).toBe(counted);
    for (const tab of [one, other]) await tab.close();
  });
});

/** @param {string} name */
function plain(name) {
  return name.replaceAll(/\W/g, '-');
}
