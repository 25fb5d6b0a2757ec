/** When a client whose messages are rejected is closed: `limits.refusals`. */
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { compileContract } from '../../../template/src/rpc/server.ts';
import { RawPort } from '../../support/raw-port.ts';

const contract = compileContract({ echo: [Type.Integer()] }, { limits: { refusals: 12 } });

const GOOD = '"echo",[1]';
const UNKNOWN = '"nope"';
const WRONG = '"echo",["x"]';
const DEEP = `"echo",[${'['.repeat(101)}${']'.repeat(101)}]`;
/** Counts for ten. */
const UNREADABLE = 'unreadable';

const times = (count: number, call: string): string[] => Array.from({ length: count }, () => call);

test.each<[string, string[], isClosed: boolean]>([
  ['as many as are allowed', times(12, UNKNOWN), false],
  ['one more', times(13, UNKNOWN), true],
  [
    'one more, of different kinds',
    [...times(4, UNKNOWN), ...times(4, WRONG), ...times(5, DEEP)],
    true,
  ],
  ['with a good call among them', [...times(12, WRONG), GOOD, WRONG], false],
  ['and one more', [...times(12, WRONG), GOOD, WRONG, WRONG], true],
  ['after many good calls', [...times(20, GOOD), ...times(13, UNKNOWN)], true],
  ['an unreadable frame', [UNREADABLE, UNKNOWN, UNKNOWN], false],
  ['an unreadable frame, and three calls', [UNREADABLE, ...times(3, UNKNOWN)], true],
])('%s', async (_, sent, isClosed) => {
  const port = new RawPort({ echo: (value: number) => value }, contract);
  for (const [index, call] of sent.entries()) {
    const answer = await port.ask(call === UNREADABLE ? '0' : `[${index + 1},${call}]`);
    expect(answer.includes('"error"')).toBe(call !== GOOD);
  }
  const last = await port.ask(`[99,${GOOD}]`);
  const reason = 'closed 4429 Too many rejected messages: see limits.refusals';
  expect(last).toBe(isClosed ? reason : '[[99,1]]');
});

test('calls of one frame count one by one, and those that wait are answered', async () => {
  const port = new RawPort({ echo: (value: number) => value }, contract);
  port.send(...Array.from({ length: 13 }, (_, index) => `[${index + 1},${UNKNOWN}]`));
  expect(JSON.parse(await port.next())).toHaveLength(13);
  expect(await port.next()).toMatch(/^closed 4429/);
});
