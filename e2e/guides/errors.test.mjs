/** The errors that the template's guide quotes are those that a reader gets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { REPOSITORY } from '../outside.mjs';
import { ERRORS } from './errors.mjs';
import { GUIDE, projects } from './project.mjs';

const { env, scaffold } = projects({ stopAfter: 'all' });

const [, table = ''] = readFileSync(join(REPOSITORY, GUIDE), 'utf8').split('## Troubleshooting');
const quoted = Array.from(table.matchAll(/^\| `([^`]+)` /gm), ([, text = '']) => text);

/** @type {import('./errors.mjs').Reader} */
let reader;

beforeAll(async () => {
  const project = await scaffold('served');
  const { url } = await startDevServer(project, [], env);
  reader = { project, url, edited: await scaffold('edited'), env };
});

test('each of them, and no other', () => {
  expect(Object.keys(ERRORS).toSorted()).toEqual(quoted.toSorted());
});

test.each(Object.entries(ERRORS))('%s', async (text, provoke) => {
  expect(await provoke(reader)).toContain(text);
});
