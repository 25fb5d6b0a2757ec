/** Debug output of single frames, and of messages whose call has been forgotten. */
import { describe, expect, test } from 'vitest';
import { FrameLog } from '../../../src/features/debug/wire/frame-log.ts';
import {
  truncate,
  formatValue,
  formatValues,
} from '../../../src/features/debug/wire/format-value.ts';
import { writeWithBytes } from '../../../src/wire/bytes.ts';
import { frameOf } from '../../../src/wire/encoded-message.ts';
import { encodeCall, type Frame } from '../../../src/wire/messages.ts';
import { consoleLines } from './console-lines.ts';

const lines = consoleLines();

type Step = ['up' | 'down', Frame];

/** Returns the output for the frames in order, without the name and the times. */
function printed(steps: readonly Step[]): string[] {
  const log = new FrameLog('one');
  for (const [direction, frame] of steps) log[direction](frame);
  return lines.map((line) => line.slice('one '.length).replace(/ in [\d.]+ ms$/, ' in T'));
}

/** Returns the output for the last message, without the frame. */
const newsOf = (steps: readonly Step[]): string[] =>
  printed(steps)
    .filter((line) => line.startsWith('#'))
    .slice(-1);

describe('a frame', () => {
  test('has its size in bytes, not in characters', () => {
    expect(printed([['up', '[[1,"say",["é€"]]]']])[0]).toBe('up 21 bytes [[1,"say",["é€"]]]');
  });

  test('with bytes shows how many bytes are beside its text', () => {
    const call = writeWithBytes((of) => encodeCall(1, 'store', [new ArrayBuffer(2_000)], of));
    const frame = frameOf([call]) as ArrayBuffer;
    const text = '[["bytes",2000],[1,"store","rich",[[[[1]]],["Bytes",0]]]]';
    expect(printed([['up', frame]])).toEqual([
      `up ${text.length + 2_001} bytes ${text} and 2000 beside the text`,
    ]);
  });

  test('of bytes that is malformed has all bytes beside the text', () => {
    expect(printed([['down', new ArrayBuffer(0)]])).toEqual([
      'down 0 bytes  and 0 beside the text',
    ]);
  });

  test('is shortened to 200 characters', () => {
    const text = (length: number): string => `[[1,"${'x'.repeat(length - 8)}"]]`;
    const [whole, cut] = [200, 201].map((length) => printed([['up', text(length)]]).at(-1));
    expect(whole).toBe(`up 200 bytes ${text(200)}`);
    expect(cut).toBe(`up 201 bytes ${text(201).slice(0, 199)}…`);
  });
});

describe('the debug output forgets', () => {
  test.each<[string, Step[], string]>([
    [
      'a call that is cancelled',
      [
        ['up', '[[1,"add"]]'],
        ['up', '[["cancel",1]]'],
        ['down', '[[1,5]]'],
      ],
      '#1 an earlier call = 5',
    ],
    [
      'a subscription that is left',
      [
        ['up', '[["subscribe",1,null,"sum"]]'],
        ['up', '[["unsubscribe",1]]'],
        ['down', '[["value",1,5]]'],
      ],
      '#s1 an earlier subscription = 5',
    ],
    [
      'a subscription that has ended',
      [
        ['up', '[["subscribe",1,null,"sum"]]'],
        ['down', '[["complete",1]]'],
        ['down', '[["value",1,5]]'],
      ],
      '#s1 an earlier subscription = 5',
    ],
    [
      'a callback that has answered',
      [
        ['down', '[["call",9,1]]'],
        ['up', '[["return",9]]'],
        ['up', '[["return",9,5]]'],
      ],
      '#k9 an earlier call = 5',
    ],
  ])('%s', (_, steps, line) => {
    expect(newsOf(steps)).toEqual([line]);
  });

  test('no other call or subscription', () => {
    const steps: Step[] = [
      ['up', '[[1,"add"],[2,"add",[5]],["subscribe",3,null,"sum"],["subscribe",4,null,"sales"]]'],
      ['up', '[["cancel",1],["unsubscribe",3]]'],
    ];
    expect(newsOf([...steps, ['down', '[[2,6]]']])).toEqual(['#2 add(5) = 6 in T']);
    expect(newsOf([...steps, ['down', '[["value",4,1]]']])).toEqual(['#s4 sales() = 1']);
  });
});

test.each([
  ['of an object', '"add"', 'add(5)'],
  [
    'of a capability, without its number and its address',
    '["put","Drawer","secret","upper"]',
    'Drawer.put(5)',
  ],
  ['of the result of a call', '["put",7]', '#7.put(5)'],
  ['of a part of a result', '["put",7,"drawers","upper"]', '#7.drawers.upper.put(5)'],
])('a method %s is shown', (_, callee, text) => {
  expect(
    newsOf([
      ['up', `[[8,${callee},[5]]]`],
      ['down', '[[8,5]]'],
    ]),
  ).toEqual([`#8 ${text} = 5 in T`]);
});

test('a part of the result of a call, and a capability, are shown as arguments', () => {
  const call = '[2,"add","rich",[[[[1],[2]]],["Call",1,"a","b"],["Capability","Drawer","secret"]]]';
  expect(
    newsOf([
      ['up', `[${call}]`],
      ['down', '[[2]]'],
    ]),
  ).toEqual(['#2 add(#1.a.b, Capability Drawer) = undefined in T']);
});

test.each<[unknown, string]>([
  ['x'.repeat(198), `"${'x'.repeat(198)}"`],
  ['x'.repeat(199), `"${'x'.repeat(198)}…`],
  [undefined, 'undefined'],
  [Symbol('a name'), 'a name'],
  [Symbol(), ''],
  [new ArrayBuffer(3), 'ArrayBuffer(3 bytes)'],
  [new DataView(new ArrayBuffer(3)), 'DataView(3 bytes)'],
  [new SharedArrayBuffer(3), 'SharedArrayBuffer(3 bytes)'],
  [Object.create(null), '{}'],
  [{ byteLength: 3 }, '{byteLength: 3}'],
  [{ byteLength: { toString: null } }, '{byteLength: {toString: null}}'],
  [{ [Symbol.toStringTag]: 'Own', toString: 5, valueOf: 5 }, 'unreadable'],
  [Object.assign(new Error('no'), { code: 'E_NO' }), 'Error E_NO: no'],
  [Object.assign(new Error('no'), { code: 5 }), 'Error: no'],
  [[[[[]]]], '[[[[]]]]'],
  [[[[[[]]]]], '[[[[…]]]]'],
  [[[[['a']]]], '[[[["a"]]]]'],
])('%o is shown', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test('a callback whose number is an object is shown', () => {
  expect(
    newsOf([
      ['down', '[["call",1,{"byteLength":{"toString":null}},[5]]]'],
      ['up', '[["return",1]]'],
    ]),
  ).toEqual(['#k1 callback {byteLength: {toString: null}}(5) = undefined in T']);
});

test('several values are shortened together', () => {
  expect(formatValues(['a', 5])).toBe('"a", 5');
  expect(formatValues(['x'.repeat(190), 'y'.repeat(190)])).toHaveLength(200);
  expect(truncate('x'.repeat(200))).toBe('x'.repeat(200));
});
