/** What is measured of the template's counter in this repository, and what its own performance test measures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** The text between the first match and the end of the list, without the space that a formatter chooses. */
function listIn(file: string, begin: RegExp, end: string): string {
  const [, text = ''] = readFileSync(join(ROOT, file), 'utf8').split(begin);
  return text.slice(0, text.indexOf(end)).replaceAll(/\s+|,(?=\s*\))/g, '');
}

test('the workloads are the same', () => {
  const ours = listIn('harness/counter-perf.ts', /Workload\[\] = \[\n/, '\n];');
  expect(ours).toContain("inSequence('100increments'");
  expect(listIn('template/perf/run.ts', /workloads: \[\n/, '\n  ],')).toBe(ours);
});
