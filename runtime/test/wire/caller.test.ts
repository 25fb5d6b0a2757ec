/** Tests the sizes that a caller and its identity may have. */
import { describe, expect, test } from 'vitest';
import { withIdentity } from '../../src/wire/caller.ts';

const text = (length: number): string => 'x'.repeat(length);

describe('a caller with its identity may have 4000 characters', () => {
  test('a separate identity', () => {
    // The caller has 10 characters with its quotation marks.
    const caller = text(8);
    expect(withIdentity(caller, text(3_990))).toEqual({ caller, owner: text(3_990) });
    expect(() => withIdentity(caller, text(3_991))).toThrow(
      new RangeError(
        'A caller and its identity can have 4000 characters as JSON, but these have 4001',
      ),
    );
  });

  test('the caller as its identity', () => {
    const caller = text(1_998);
    expect(withIdentity(caller)).toEqual({ caller, owner: JSON.stringify(caller) });
    expect(() => withIdentity(text(1_999))).toThrow('these have 4002');
  });

  test('an empty identity counts as an identity', () => {
    expect(withIdentity({ user: 'Ada' }, '')).toEqual({ caller: { user: 'Ada' }, owner: '' });
  });
});
