/** Which texts are accepted as the trace of another program, and the message that carries it. */
import { expect, test } from 'vitest';
import { firstCallIn } from '../../../src/server/connections/first-call.ts';
import {
  encodeTraces,
  readTracesIn,
  type TraceContext,
  traceContextOf,
} from '../../../src/features/tracing/wire/trace-context.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

function tracesIn(message: unknown[]): [number, TraceContext][] {
  const found: [number, TraceContext][] = [];
  readTracesIn(message, (...trace) => found.push(trace));
  return found;
}

test.each([
  traceparent,
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff',
])('%s is a trace', (text) => {
  expect(traceContextOf(text)).toEqual({ traceparent: text });
});

test.each([
  undefined,
  null,
  1,
  {},
  '',
  [traceparent],
  traceparent.toUpperCase(),
  ` ${traceparent}`,
  `${traceparent}\n`,
  `${traceparent}-more`,
  traceparent.replace('00-', '01-'),
  traceparent.replace('00-', 'ff-'),
  traceparent.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
  traceparent.replace('00f067aa0ba902b7', '0'.repeat(16)),
  traceparent.slice(0, -1),
  '0'.repeat(1_000_000),
])('%j is not a trace', (value) => {
  expect(traceContextOf(value)).toBeUndefined();
});

test.each([
  'vendor=value',
  'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  'tenant@system=a b',
  'a=1, b=2 ,,\tc=3',
  `a=${'x'.repeat(256)}`,
  '1="]]',
])('%s is a state', (tracestate) => {
  expect(traceContextOf(traceparent, tracestate)).toEqual({ traceparent, tracestate });
});

test.each([
  '',
  null,
  5,
  ['a=1'],
  'novalue',
  'A=1',
  'a=',
  'a=1=2',
  'a=ä',
  'a=1\n',
  'a=\u0000',
  `a=${'x'.repeat(257)}`,
  `${'a=1,'.repeat(200)}a=1`,
])('the state %j is left out', (tracestate) => {
  expect(traceContextOf(traceparent, tracestate)).toEqual({ traceparent });
});

test('a written trace is read again', () => {
  const entries = [
    [1, { traceparent }],
    [-2, { traceparent, tracestate: 'a="]]' }],
  ] as const;
  const text = encodeTraces(entries, 1_000);
  expect(text).toBe(`["trace",[1,"${traceparent}"],[-2,"${traceparent}","a=\\"]]"]]`);
  expect(tracesIn(JSON.parse(text!) as unknown[])).toEqual(entries);
});

test('entries without room are left out', () => {
  const entries = [
    [1, { traceparent, tracestate: `a=${'x'.repeat(200)}` }],
    [2, { traceparent }],
  ] as const;
  const second = encodeTraces(entries.slice(1), 1_000)!;
  expect(encodeTraces(entries, second.length)).toBe(second);
  expect(encodeTraces(entries, second.length - 1)).toBeUndefined();
  expect(encodeTraces(entries, -1)).toBeUndefined();
  expect(encodeTraces([], 1_000)).toBeUndefined();
});

test.each([
  [['trace', 1, 'x', null, {}, [], [1], ['1', traceparent], [1.5, traceparent], [1, 'no']]],
  [['trace']],
])('malformed entries in %j are ignored', (message) => {
  expect(tracesIn(message)).toEqual([]);
});

test.each([
  ['trace', 'awaits'],
  ['awaits', 'trace'],
])('the first call of a frame that cannot be read is found after %s and %s', (...kinds) => {
  const trace = encodeTraces([[3, { traceparent, tracestate: 'a="]],b=[7,' }]], 1_000);
  const texts: Record<string, string | undefined> = { trace, awaits: '["awaits",3]' };
  const controls = kinds.map((kind) => texts[kind]).join();
  expect(firstCallIn(`[${controls},[3,"post",["…`)?.id).toBe(3);
});
