/** A reader really gets the errors that the guides quote, and other errors that say what to do. */
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stop } from '../../harness/guarded-process.mjs';
import { edit, ERRORS_OF_CHECKS, ERRORS_OF_DEV } from './errors.mjs';
import { REPOSITORY } from '../setup/outside.mjs';
import { projects } from '../setup/projects.mjs';
import { GUIDE, GUIDES } from './blocks.mjs';

const { env, scaffold } = projects({ stopAfter: 'all' });

/** The messages in the first column of a table. */
const MESSAGE = /^\| `([^`]+)` +\|/gm;
const page = readFileSync(join(REPOSITORY, `${GUIDES}troubleshooting.md`), 'utf8');
const quoted = Array.from(page.matchAll(MESSAGE), ([, message = '']) => message);
/** No project here has two copies of the package. `e2e/package/copies.test.mjs` provokes this error. */
const ELSEWHERE = 'The object is served by another copy of lumenize-rpc';

/** @type {string} */
let project;

beforeAll(async () => {
  project = await scaffold('read');
});

test('each quoted error is provoked, and the guide of the template quotes no others', () => {
  const known = [...Object.keys(ERRORS_OF_DEV), ...Object.keys(ERRORS_OF_CHECKS), ELSEWHERE];
  expect(quoted.length).toBeGreaterThan(10);
  expect(known).toEqual(expect.arrayContaining(quoted));
  const [, table = ''] = readFileSync(join(REPOSITORY, GUIDE), 'utf8').split('## Troubleshooting');
  expect(known).toEqual(
    expect.arrayContaining(Array.from(table.matchAll(MESSAGE), ([, message]) => message)),
  );
});

describe('npm run dev', () => {
  /** @type {string} */
  let url;

  beforeAll(async () => {
    const { url: address, server } = await startDevServer(project, [], env);
    url = address;
    return () => stop(server);
  });

  test.each(Object.entries(ERRORS_OF_DEV))('%s', async (text, way) => {
    onTestFinished(edit(project, way));
    const provoke = () => way.provoke({ project, url, env });
    if (way.file) await noticed(join(project, way.file), provoke, text);
    else expect(await provoke()).toContain(text);
  });
});

/** The number of attempts before the file is saved again, which takes about ten seconds. */
const TRIES = 150;

/**
 * Waits until the server notices a saved file. It takes a moment, and it misses a file that is saved while it restarts.
 *
 * @param {string} file
 * @param {() => Promise<unknown>} provoke
 * @param {string} text
 */
async function noticed(file, provoke, text) {
  let tries = 0;
  const provokeAgain = () => {
    const now = new Date();
    if (++tries % TRIES === 0) utimesSync(file, now, now);
    return provoke();
  };
  await expect.poll(provokeAgain).toContain(text);
}

test.each(Object.entries(ERRORS_OF_CHECKS))('%s', async (text, way) => {
  onTestFinished(edit(project, way));
  expect(await way.provoke({ project, env }).catch(String)).toContain(text);
});
