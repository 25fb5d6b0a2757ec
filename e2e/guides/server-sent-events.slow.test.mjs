/** Follows the page on server-sent events in a project: its requests get the responses that the page shows. */
import { beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { projects } from '../setup/projects.mjs';
import { apply, blocksOf } from './blocks.mjs';
import { EVENTS, serverSentEvents } from './sections.mjs';

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** @type {string} */
let url;
/** @type {string} */
let project;

beforeAll(async () => {
  project = await scaffold('server-sent-events');
  for (const block of serverSentEvents) apply(block, project);
  ({ url } = await startDevServer(project, [], env));
});

const blocks = blocksOf(EVENTS);
const [following, increment] = blocks
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/**
 * Sends the request of a curl command.
 *
 * @param {string} [command]
 */
function send(command = '') {
  const [address = ''] = /http:\S+/.exec(command) ?? [];
  const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? [];
  const headers = Array.from(command.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value]) => [
    name,
    value ?? '',
  ]);
  return fetch(address.replace('http://localhost:8787', url), {
    method,
    headers: Object.fromEntries(headers),
  });
}

test('the counter is followed, as the page says', async () => {
  const output = blocks.find(({ language }) => language === '')?.text;
  const response = await send(following);
  const reader = (response.body ?? new ReadableStream()).getReader();
  const decoder = new TextDecoder();
  let text = '';
  /** @param {number} length */
  const readTo = async (length) => {
    while (text.length < length) text += decoder.decode((await reader.read()).value);
  };
  await readTo(output?.length ?? 0);
  expect(text).toBe(output);
  expect(await (await send(increment)).json()).toBe(1);
  await readTo(text.length + 1);
  expect(text).toBe(`${output}data: 1\n\n`);
  await reader.cancel();
});

test('the project compiles', () => npm(project, 'typecheck'));
