/** The Workers that are tested and measured have the settings of the template's Worker. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJsonc } from '../../../harness/jsonc.mjs';

function compatibilityOf(file: string): unknown {
  const { compatibility_date, compatibility_flags } = readJsonc(
    join(import.meta.dirname, '../../..', file),
  );
  return { compatibility_date, compatibility_flags };
}

test.each(['runtime/test/wrangler.jsonc', 'template/perf/wrangler.jsonc'])('%s', (file) => {
  expect(compatibilityOf(file)).toEqual(compatibilityOf('template/wrangler.jsonc'));
});
