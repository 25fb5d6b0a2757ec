/**
 * Tests PERFORMANCE.md of a project in a repository: the entry that is found, and the text that is
 * written.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as records from '../../../src/perf/report/record.ts';
import type { Report } from '../../../src/perf/measure/summary.ts';
import { CONFIGURATION } from './configuration.ts';

/** Creates the folder of a project, whose file the program reads and writes. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), 'perf-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com'];
    return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  };
  const commit = (): string => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
    return git('rev-parse', '--short', 'HEAD');
  };
  const file = join(folder, 'PERFORMANCE.md');
  return {
    folder,
    git,
    commit,
    record: (entry: Report, description: string) => records.record(folder, entry, description),
    findEntry: (which: string) => records.findEntry(folder, which),
    text: () => readFileSync(file, 'utf8'),
  };
}

function report(time: string, value: number): Report {
  const names = { workload: 'reads', contender: 'this RPC', calls: 1, rounds: 6, outliers: [] };
  const ratio = { value, low: value, high: value };
  const results = [{ ...names, ratio, toEmpty: ratio, median: 1, perSecond: 1, p95: 1, p99: 1 }];
  const others = { contenders: [], rival: 'other', leftOut: [], wire: [] };
  return { time, configuration: CONFIGURATION, results, ...others };
}

test('an entry is recorded with its commit, and compared with the previous entry', () => {
  const { record, findEntry, git, commit, folder, text } = project();
  record(report('2026-01-01T00:00', 1), 'outside');
  expect(text()).toContain('\n\n## 2026-01-01T00:00, no commit: outside\n');
  git('init', '--quiet');
  const first = commit();
  // The file itself does not make the commit dirty.
  record(report('2026-01-02T00:00', 2), 'second');
  record(report('2026-01-03T00:00', 3), 'third');
  expect(text()).toContain(`## 2026-01-02T00:00, ${first}: second\n`);
  expect(text()).toContain(
    `- 2026-01-02T00:00, ${first}: second\n- slower: this RPC, reads: was 2.00`,
  );
  expect(text()).toContain(`## 2026-01-03T00:00, ${first}: third\n`);
  writeFileSync(join(folder, 'new.ts'), '');
  record(report('2026-01-04T00:00', 4), 'fourth');
  expect(text()).toContain(`## 2026-01-04T00:00, ${first}-dirty: fourth\n`);
  expect(text().match(/^## .*$/gm)).toHaveLength(4);

  const found = (which: string) => findEntry(which).description;
  expect(found('latest')).toBe('fourth');
  expect(found('2026-01-03')).toBe('third');
  expect(found('2026-01')).toBe('fourth');
  expect(found(`${first}-d`)).toBe('fourth');
  expect(found('no commit')).toBe('outside');
  expect(findEntry('latest').figures[0]?.toEmpty?.value).toBe(4);
  git('tag', 'v1');
  // At the tag, the file has one entry.
  expect(found('v1')).toBe('outside');
  expect(found('HEAD')).toBe('outside');
  expect(() => found('v2')).toThrow(
    'There is no entry v2 in PERFORMANCE.md, and no git ref of that name with an entry there. ' +
      'To make an entry: npm run perf -- --record "what changed"',
  );
});

test('without a file there is no entry, and the first entry says so', () => {
  const { record, findEntry, text } = project();
  expect(() => findEntry('latest')).toThrow('There is no entry latest');
  record(report('now', 1), 'mine');
  expect(text()).toContain('- There is no earlier entry.\n');
});
