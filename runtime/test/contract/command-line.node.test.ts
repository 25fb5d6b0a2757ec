/** Tests the arguments of `lumenize-rpc contract`, and the file that it reads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  compareContracts,
  uncomparedPlaces,
} from '../../src/contract/changes/compare-contracts.ts';
import { readContractFile, writeContractFile } from '../../src/contract/program/contract-file.ts';
import { readOptions } from '../../src/contract/program/options.ts';
import { formatReport, judge } from '../../src/contract/program/report.ts';
import type { ClassContracts } from '../../src/contract/written.ts';

const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['', 'the command is missing: use npx lumenize-rpc contract'],
  ['contracts', 'contracts is not a command: use npx lumenize-rpc contract'],
  ['contract Room', 'Room is not an option'],
  ['contract --chek', "Unknown option '--chek'"],
  ['contract --allow x', '--allow needs --check'],
  ['contract --ignore stored', '--ignore needs --check'],
  ['contract --check --ignore pages', '--ignore pages: use old-page, new-page, stored'],
  ['contract --file', "Option '--file <value>' argument missing"],
])('%j is refused', (line, problem) => {
  expect(() => readOptions(line.split(' ').filter(Boolean))).toThrow(problem);
});

test('--help needs no command', () => {
  expect(readOptions(['--help'])).toMatchObject({ help: true });
});

test.each([
  ['a missing file', undefined, 'Write it from what is deployed, with `npx lumenize-rpc contract`'],
  [
    'conflict markers',
    '{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n}',
    'has the marks of a merge conflict',
  ],
  ['plain text', 'contracts', 'is not JSON'],
  ['another JSON', '[]', 'has no `classes`'],
  ['a later format', '{"version":2,"classes":{}}', 'has the form 2'],
])('%s is refused', (name, text, problem) => {
  const path = join(folder, `${name}.json`);
  if (text !== undefined) writeFileSync(path, text);
  expect(() => readContractFile(path)).toThrow(problem);
});

test('a file is read as it was written', () => {
  const path = join(folder, 'written.json');
  const classes = { Room: { methods: {} } };
  writeContractFile(path, { classes, allowed: ['Room.post method-removed'] });
  expect(readContractFile(path)).toMatchObject({ classes, allowed: ['Room.post method-removed'] });
});

const room = (schema: object): ClassContracts => ({
  Room: { methods: { post: { kind: 'call', input: [{ schema: schema as { type: string } }] } } },
});

function reportOf(older: ClassContracts, newer: ClassContracts, ...allowed: string[]): string {
  const changes = compareContracts(older, newer);
  return formatReport(judge(changes, allowed, new Set()), uncomparedPlaces(newer));
}

test('two schemas that cannot be compared count as a break, and the program says so', () => {
  const patterns = ['^a+$', '^a{1,}$'].map((pattern) => room({ type: 'string', pattern }));
  const [older, newer] = patterns as [ClassContracts, ClassContracts];
  expect(judge(compareContracts(older, newer), [], new Set()).failing).toHaveLength(1);
  expect(reportOf(older, newer)).toContain(
    '**old page, new object** may break, because the two schemas cannot be compared: `INVALID_ARGUMENTS`',
  );
});

test('schemas without a JSON Schema are named, and are not compared', () => {
  const report = reportOf(room({ unreadable: 'effect' }), room({ unreadable: 'effect' }));
  expect(report).toContain('makes no JSON Schema: `Room.post[0]`');
  expect(report).toContain('The parts that could be compared have not changed.');
});

test('schemas with code are named, and are compared without it', () => {
  const report = reportOf(
    room({ type: 'string', refined: 1 }),
    room({ type: 'string', refined: 1 }),
  );
  expect(report).toContain('without the checks and transforms that are code: `Room.post[0]`');
  expect(report).toContain('The parts that could be compared have not changed.');
});

test('a property that is called refined is no code', () => {
  const Room = room({ type: 'object', properties: { refined: { type: 'string' } } });
  expect(reportOf(Room, Room)).toBe('The contract has not changed.');
});

test('a class whose binding stays is the same class', () => {
  const [older, newer] = [room({ type: 'string' }), room({ type: 'integer' })];
  const Chat = { ...newer['Room']!, bindings: ['ROOM'] };
  const changes = compareContracts({ Room: { ...older['Room']!, bindings: ['ROOM'] } }, { Chat });
  expect(changes.map(({ place, rule }) => `${place} ${rule}`)).toEqual([
    'Room.post argument-changed',
  ]);
});

test('an order of deployments is proposed if it is enough', () => {
  const { Room } = room({ type: 'string' });
  const methods = { ...Room!.methods, leave: { kind: 'call', input: [] } };
  const order = 'only new pages that meet an old object';
  expect(reportOf({ Room: Room! }, { Room: { methods } })).toContain(`It breaks ${order}`);
  expect(reportOf({ Room: { methods } }, { Room: Room! })).not.toContain(order);
  const enter = { enter: { kind: 'call', input: [] } };
  const report = reportOf(
    { Room: { methods } },
    { Room: { methods: { ...Room!.methods, ...enter } } },
  );
  expect(report).toContain(`1 of them breaks ${order}`);
});

test('a class that is gone breaks old pages', () => {
  const report = reportOf(room({ type: 'string' }), {});
  expect(report).toContain('### `Room`: remove a class, or its binding');
  expect(reportOf(room({ type: 'string' }), {}, 'Room class-removed')).toContain(
    'Allowed:\n- `Room`',
  );
});
