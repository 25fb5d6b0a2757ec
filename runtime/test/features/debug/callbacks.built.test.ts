/** Debug output of callbacks, at each end. */
import { expect, test } from 'vitest';
import { FrameLog } from '../../../src/features/debug/wire/frame-log.ts';
import { consoleLines } from './console-lines.ts';

const lines = consoleLines();

test.each([
  ['["call",912,1,[50]]', '["return",912]', /^#k912 callback 1\(50\) = undefined in [\d.]+ ms$/],
  ['["call",912,1]', '["return",912,true]', /^#k912 callback 1\(\) = true in /],
  [
    '["call",912,2,"rich",[[[["Date",0]]]]]',
    '["return",912,"rich",[["Set",1]]]',
    /^#k912 callback 2\(Date\(.*\)\) = Set \{1\} in /,
  ],
  [
    '["call",912,1,[50]]',
    '["return",912,"error",[["Error","RangeError","RangeError","no",[],{}]]]',
    /^#k912 callback 1\(50\) threw RangeError: no in /,
  ],
  ['["call",7,1,[50]]', '["return",912]', /^#k912 an earlier call = undefined$/],
  ['["call",912,1,"odd",2]', '["return",912,"odd",2]', /^#k912 unreadable: .* unreadable: /],
])('%s and %s are shown as a call of a callback', (called, returned, text) => {
  const log = new FrameLog('one');
  log.down(`[${called}]`);
  log.up(`[${returned}]`);
  const shown = lines.map((line) => line.slice('one '.length));
  expect(shown.filter((line) => !/^(up|down) /.test(line))).toEqual([expect.stringMatching(text)]);
});

test('a call of a callback is not confused with a call that has the same number', () => {
  const log = new FrameLog('one');
  log.up('[[1,"load","rich",[[[[1]]],["Function",3]]]]');
  log.down('[["call",1,3,[50]]]');
  log.up('[["return",1]]');
  log.down('[[1,"loaded"]]');
  const shown = lines.filter((line) => line.startsWith('one #'));
  expect(shown.map((line) => line.replace(/ in .*/, ''))).toEqual([
    'one #k1 callback 3(50) = undefined',
    'one #1 load(Function 3) = "loaded"',
  ]);
});

test.each(['["call"]', '["call",{"toString":1}]', '["keep",1]', '["drop"]', '["return"]'])(
  '%s, which is incomplete, is shown only as a frame',
  (message) => {
    const log = new FrameLog('one');
    log.down(`[${message}]`);
    log.up(`[${message}]`);
    expect(lines).toHaveLength(2);
  },
);
