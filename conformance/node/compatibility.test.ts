/** The Workers that are tested and measured run under the settings of the one that is shipped. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';

function compatibilityOf(file: string): unknown {
  const config = join(import.meta.dirname, '../..', file);
  const { compatibility_date, compatibility_flags } = unstable_readConfig(
    { config },
    { hideWarnings: true },
  );
  return { compatibility_date, compatibility_flags };
}

test.each(['conformance/wrangler.jsonc', 'template/perf/wrangler.jsonc'])('%s', (file) => {
  expect(compatibilityOf(file)).toEqual(compatibilityOf('template/wrangler.jsonc'));
});
