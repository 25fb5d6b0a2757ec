/** Tests the options of `npm run perf`, and the errors for wrong options. */
import { describe, expect, test } from 'vitest';
import { readOptions as readOptionsOf, USAGE } from '../../../src/perf/run/options.ts';
import { workloads } from '../../../../harness/counter-perf.ts';
import { emptyCalls } from '../../../src/perf/workloads.ts';

const readOptions = (line: readonly string[]) => readOptionsOf(line, workloads);

describe('an error names', () => {
  test.each([
    ['--fast', "'--fast'"],
    ['quickly', "'quickly'"],
    ['--rounds', '--rounds'],
    ['--rounds 0', '--rounds 0: from 1 to 999999'],
    ['--rounds -4', '--rounds'],
    ['--rounds 2.5', '--rounds 2.5: from 1'],
    ['--rounds ten', '--rounds ten: from 1'],
    ['--target cloud', '--target cloud: use workerd or dev'],
    ['--url example.com', '--url example.com: use an http or https address'],
    ['--url ftp://example.com', 'use an http or https address'],
    ['--url https://example.com --target dev', 'cannot be combined'],
    ['--only nothing-like-it', '100 increments'],
    ['--only reads --only nothing-like-it', '--only nothing-like-it: no workload'],
    ['--only reads --only=', '--only is empty'],
    ['--record', '--record'],
    ['--target workerd --svg=\t', '--svg is empty'],
    ['--record=', '--record is empty'],
    ['--compare=', '--compare is empty'],
    ['--svg=', '--svg is empty'],
    ['--only reads --record it', '--record measures every workload'],
    ['--methods', '--methods needs --check'],
    ['--clients 5', '--clients needs --load'],
    ['--load increment --clients 0', '--clients 0: from 1 to 1000'],
    ['--load increment --clients 2.5', '--clients 2.5: from 1'],
    ['--load increment --rate fast', '--rate fast: from more than 0 to 100000'],
    ['--load increment --rate 1e9', '--rate 1e9'],
    ['--load increment --seconds -1', "'--seconds'"],
    ['--load increment --rate 1000 --seconds 3600', 'at most 1000000 calls'],
    ['--load=', '--load is empty'],
    ['--load increment --only reads', '--load and --only cannot be combined'],
    ['--load increment --record it', '--load and --record cannot be combined'],
    ['--load increment --check', '--load and --check cannot be combined'],
    ['--check --record it', '--check and --record cannot be combined'],
  ])('%s', (line, message) => {
    expect(() => readOptions(line.split(' '))).toThrow(message);
  });
});

test('without options, everything is measured on the bare runtime', () => {
  expect(readOptions([])).toMatchObject({ target: 'workerd', workloads, check: false });
  expect(readOptions([])).toMatchObject({ rounds: undefined, compare: undefined });
});

test.each([
  [['--check'], { check: true, compare: 'latest' }],
  [['--check', '--compare', 'v1'], { check: true, compare: 'v1' }],
  [['--rounds', '7'], { rounds: 7 }],
  [['--url', 'https://example.com/x//'], { url: 'https://example.com/x' }],
  [['--record', ' in\n two  lines '], { record: 'in two lines' }],
  [['--target', 'dev'], { target: 'dev' }],
])('%j', (line, options) => {
  expect(readOptions(line)).toMatchObject(options);
});

test('--load has one method or several, and numbers with defaults', () => {
  expect(readOptions(['--load', 'increment']).load).toEqual({
    methods: ['increment'],
    clients: 20,
    rate: 100,
    seconds: 10,
    within: 100,
  });
  const line = '--load record --load read --clients 5 --rate 16.7 --seconds 0.5 --within 20';
  expect(readOptions(line.split(' ')).load).toEqual({
    methods: ['record', 'read'],
    clients: 5,
    rate: 16.7,
    seconds: 0.5,
    within: 20,
  });
  expect(readOptions([]).load).toBeUndefined();
});

test('--only and --quick choose workloads', () => {
  const named = (...line: string[]) => readOptions(line).workloads.map(({ name }) => name);
  expect(named('--only', '10 reads in flight')).toEqual(['10 reads in flight']);
  // Other workloads have this text in their names.
  expect(named('--only', '100 increments')).toEqual(['100 increments']);
  expect(named('--only', '00 increments').length).toBeGreaterThan(2);
  // They are in the order of the workloads, and each occurs once.
  expect(named('--only', 'bookings', '--only', '10 reads in', '--only', '10 reads')).toEqual([
    '10 reads in flight',
    '20 bookings, with SQL and an alarm',
  ]);
  const long = workloads.filter(({ isLong }) => isLong).map(({ name }) => name);
  const quick = named('--quick');
  expect(quick.length).toBeGreaterThan(5);
  expect([...quick, ...long].toSorted()).toEqual(workloads.map(({ name }) => name).toSorted());
  // A long workload that is named is chosen.
  expect(named('--quick', '--only', long[0] as string)).toContain(long[0]);
});

test('methods are judged by calls that run no method, which the judged run has too', () => {
  for (const line of [
    ['--check', '--methods'],
    ['--record', 'it'],
  ]) {
    expect(readOptions(line).workloads).toEqual([...workloads, emptyCalls]);
  }
  const only = readOptions(['--check', '--methods', '--only', '10 reads in flight']).workloads;
  expect(only.map(({ name }) => name)).toEqual(['10 reads in flight', '100 calls of no method']);
});

test('the help names exactly the options', () => {
  const named = [...USAGE.matchAll(/^ {2}--([a-z]+)/gm)].map(([, name]) => name);
  // The choice of `--only` is in `workloads`.
  const read = Object.keys(readOptions([])).map((name) => (name === 'workloads' ? 'only' : name));
  read.push('clients', 'rate', 'seconds', 'within');
  expect(named.toSorted()).toEqual(read.toSorted());
});
