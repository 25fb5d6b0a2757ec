/** Tests how many messages a frame may have: calls, and a few other messages before them. */
import { expect, test } from 'vitest';
import { compileContract, read } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';

const contract = compileContract({ one: read() }, { limits: { callsPerFrame: 2 } });

const OTHER = '["cancel",9]';
const CALLS = ['[1,"one"]', '[2,"one"]'];
const others = (count: number): string[] => Array.from({ length: count }, () => OTHER);

test.each<[string, string[], boolean]>([
  ['as many calls as the limit allows', CALLS, true],
  ['one call more than the limit allows', [...CALLS, '[3,"one"]'], false],
  ['as many calls after five other messages', [...others(5), ...CALLS], true],
  ['as many calls after six other messages', [...others(6), ...CALLS], false],
  [
    'as many calls with other messages behind the first',
    ['[1,"one"]', ...others(5), '[2,"one"]'],
    false,
  ],
])('%s', async (_, messages, isAnswered) => {
  const port = openPort({ one: () => 1 }, contract);
  const answer = await port.ask(...messages);
  if (isAnswered) expect(answer).toBe('[[1,1],[2,1]]');
  else expect(answer).toMatch(/^\[\["error",.*callsPerFrame is at most 2.*LIMIT_EXCEEDED/);
  expect(await port.ask('[5,"one"]')).toBe('[[5,1]]');
});
