/** Malformed frames, and frames with malformed messages. */
import { DEFAULT_LIMITS } from '../../src/server/base/limits.ts';
import { called, forCall, forFrame, type HostileFrame } from './writing.ts';

const { frameSize, callsPerFrame } = DEFAULT_LIMITS;

/**
 * Names that mean something to an object, a Durable Object or a promise, and names without a
 * meaning.
 */
const methodNames = [
  '__proto__ constructor toString hasOwnProperty valueOf __defineGetter__ prototype then',
  'ctx env fetch alarm webSocketMessage webSocketClose Increment increment.call _private',
].flatMap((names) => names.split(' '));

function calls(count: number): string {
  return `[${Array.from({ length: count }, (_, index) => `[${index + 1},"getValue"]`).join(',')}]`;
}

/** Returns a frame of exactly this number of characters. */
function sized(length: number): string {
  const [start, end] = ['[[1,"increment",["', '"]]]'];
  return start + 'x'.repeat(length - start.length - end.length) + end;
}

export const frames: HostileFrame[] = [
  ...forFrame('BAD_MESSAGE', [
    ['nothing', () => ''],
    ['no JSON', () => 'increment'],
    ['truncated JSON', () => '[[1,"increment",[5]'],
    ['a truncated string', () => '[[1,"incr'],
    ['JSON with trailing text', () => '[[1,"getValue"]]x'],
    ['a number', () => '1'],
    ['a string', () => '"increment"'],
    ['null', () => 'null'],
    ['an object', () => '{"0":[1,"increment"]}'],
    ['numbers instead of messages', () => '[1,2]'],
    ['a message that is an object', () => '[[1,"increment"],{"0":2}]'],
    ['an empty message', () => '[[]]'],
    ['100 000 opening brackets', () => '['.repeat(100_000)],
    ['an id of zero', () => '[[0,"increment"]]'],
    ['a negative id', () => '[[-1,"increment"]]'],
    ['a fractional id', () => '[[1.5,"increment"]]'],
    ['a huge id', () => '[[1e300,"increment"]]'],
    ['an id beyond the safe integers', () => '[[9007199254740993,"increment"]]'],
    ['an infinite id', () => '[[1e999,"increment"]]'],
    ['an id that is a string', () => '[["1","increment"]]'],
    ['an id that is null', () => '[[null,"increment"]]'],
    ['an id that is an object', () => '[[{"toString":1},"increment"]]'],
    ['the name of a kind that does not exist', () => '[["__proto__",1]]'],
    ['an answer', () => '[["error",[["Error","Error","Error","no",[]]]]]'],
  ]),
  ...forFrame('LIMIT_EXCEEDED', [
    ['far too many calls', () => calls(4 * callsPerFrame)],
    ['one call too many', () => calls(callsPerFrame + 1)],
    ['one character too many', () => sized(frameSize + 1)],
    ['twice the characters', () => sized(frameSize * 2)],
  ]),
  ...forCall('INVALID_ARGUMENTS', [
    ['as many characters as the limit allows', () => sized(frameSize)],
    ['one character fewer', () => sized(frameSize - 1)],
  ]),
  ...forCall(
    'METHOD_NOT_FOUND',
    [...methodNames, '', ' increment', 'increment\0', '\uD800', 'x'.repeat(100_000)].map(
      (method) => [`the method ${JSON.stringify(method.slice(0, 20))}`, called(method)],
    ),
  ),
  ...forCall('BAD_MESSAGE', [
    ['a call without a method', () => '[[1]]'],
    ['a number as the method', () => '[[1,2]]'],
    ['an array as the method', () => '[[1,["increment"]]]'],
    ['an object as the method', () => '[[1,{"toString":1},"rich",[[]]]]'],
    ['a number as the arguments', () => '[[1,"increment",5]]'],
    ['an object as the arguments', () => '[[1,"increment",{"0":5,"length":1}]]'],
    ['null as the arguments', () => '[[1,"increment",null]]'],
    ['too many elements', () => '[[1,"increment","rich",[[]],1]]'],
    ['a form that does not exist', () => '[[1,"increment","json",[[]]]]'],
    ['the form of an answer', () => '[[1,"increment","error",[[]]]]'],
  ]),
  {
    name: 'lengths of bytes in a frame without bytes',
    frame: () => '[[1,"increment"],["bytes",2000],[2,"increment","rich",[[[[1]]],["Bytes",0]]]]',
    // The object does not read bytes. The call of a bad reference then fails alone.
    answers: { 1: 8, 2: 'BAD_MESSAGE', frame: 'UNSUPPORTED' },
  },
  {
    name: 'a reference to bytes in a frame without bytes',
    frame: () => '[[1,"increment","rich",[[[[1]]],["Bytes",0]]]]',
    answers: { 1: 'BAD_MESSAGE' },
  },
  {
    name: 'bad messages among good ones',
    frame: () => '[[1,"increment"],[2],[3,"nope"],[4,"increment",[0]],["odd"],[5,"getValue"]]',
    answers: {
      1: 8,
      2: 'BAD_MESSAGE',
      3: 'METHOD_NOT_FOUND',
      4: 'INVALID_ARGUMENTS',
      // An element that is not a message ends the frame.
      frame: 'BAD_MESSAGE',
    },
  },
  {
    name: 'the result of a later call',
    frame: () => '[[1,"increment","rich",[[[[1]]],["Call",2]]],[2,"getValue"]]',
    answers: { 1: 'BAD_MESSAGE', 2: 7 },
  },
  {
    name: 'an inherited property of a result',
    frame: () => '[[1,"getValue"],[2,"increment","rich",[[[[1]]],["Call",1,"constructor"]]]]',
    answers: { 1: 7, 2: 8 },
  },
  {
    name: 'a path through inherited properties',
    frame: () =>
      '[[1,"getValue"],[2,"increment","rich",[[[[1]]],["Call",1,"__proto__","__proto__"]]]]',
    answers: { 1: 7, 2: 'TypeError' },
  },
  {
    name: 'a path of numbers and objects',
    frame: () => '[[1,"getValue"],[2,"increment","rich",[[[[1]]],["Call",1,{"toString":5},0]]]]',
    answers: { 1: 7, 2: 'BAD_MESSAGE' },
  },
  {
    name: 'the result of a call that failed',
    frame: () => '[[1,"increment",[0]],[2,"increment","rich",[[[[1]]],["Call",1]]]]',
    answers: { 1: 'INVALID_ARGUMENTS', 2: 'INVALID_ARGUMENTS' },
  },
  {
    name: 'the results of calls, one of which does not exist',
    frame: () => '[[1,"getValue"],[2,"increment","rich",[[[[1],[2]]],["Call",1],["Call",9]]]]',
    answers: { 1: 7, 2: 'BAD_MESSAGE' },
  },
  {
    name: 'the result of a call, and then a value that cannot be made',
    frame: () => '[[1,"getValue"],[2,"increment","rich",[[[[1],["BigInt","x"]]],["Call",1]]]]',
    answers: { 1: 7, 2: 'BAD_MESSAGE' },
  },
  {
    name: 'an object that looks like a reference',
    frame: () => '[[1,"increment","rich",[[[{"0":"Call","1":9},[]]]]]]',
    answers: { 1: 'INVALID_ARGUMENTS' },
  },
  { name: 'a frame without messages', frame: () => '[]', answers: {} },
  {
    name: 'a cancellation of calls that do not exist',
    frame: () => '[["cancel"],["cancel",9]]',
    answers: {},
  },
  ...[
    '["cancel",{"a":1}]',
    '["awaits"]',
    '["awaits",{}]',
    '["awaits",1,"2"]',
    '["resent",-1]',
    '["resent",1,0.5]',
    '[0]',
  ].map((message) => ({
    name: `a message with missing or wrong elements: ${message}`,
    frame: () => `[${message},[1,"increment"]]`,
    answers: { frame: 'BAD_MESSAGE' },
  })),
  {
    name: 'very many elements that are not messages',
    frame: () => `[${'[0],'.repeat(callsPerFrame - 1)}[0]]`,
    answers: { frame: 'BAD_MESSAGE' },
  },
  {
    name: 'more messages than a frame may have calls',
    frame: () => `[${'["cancel",1],'.repeat(callsPerFrame + 5)}[1,"increment"]]`,
    answers: { frame: 'LIMIT_EXCEEDED' },
  },
  {
    name: 'as many calls as the limit allows',
    frame: () => calls(callsPerFrame),
    answers: Object.fromEntries(
      Array.from({ length: callsPerFrame }, (_, index) => [index + 1, 7]),
    ),
  },
];
