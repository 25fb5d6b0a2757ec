/** Streams and rows: results that are read item by item. */
import type { FullEntry, Feature } from '../../server/contract/compiled.ts';
import { subscriptions } from '../subscriptions/feature.ts';

export const streams: Feature = {
  name: 'streams',
  version: 1,
  needs: [subscriptions],
  compile(method, entry) {
    if (entry.kind === 'stream') return { returned: 'a stream' };
    if (entry.kind !== 'rows') return undefined;
    checkRows(method, entry);
    return { returned: 'rows' };
  },
};

/** Checks the entry of rows. The rows themselves are checked when the method returns them. */
function checkRows(method: string, { input, key }: FullEntry): void {
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  if (typeof key !== 'string')
    fail("has a key that is not a string: write rows('id', […]), with a property of the rows");
  const last = input.at(-1);
  if (!last || !('~optional' in (last as object))) {
    fail('is rows, so its last parameter must be optional: wrap its schema in Type.Optional');
  }
}
