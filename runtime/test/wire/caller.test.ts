/** How much room a caller and its identity may take. */
import { describe, expect, test } from 'vitest';
import { withIdentity } from '../../src/wire/caller.ts';

const text = (length: number): string => 'x'.repeat(length);

describe('a caller with its identity may have 4000 characters', () => {
  test('an identity of its own', () => {
    // With its quotation marks the caller has 10.
    const caller = text(8);
    expect(withIdentity(caller, text(3_990))).toEqual({ caller, owner: text(3_990) });
    expect(() => withIdentity(caller, text(3_991))).toThrow(
      new RangeError('A caller with its identity can have 4000 characters, but this one has 4001'),
    );
  });

  test('the caller as its identity', () => {
    const caller = text(1_998);
    expect(withIdentity(caller)).toEqual({ caller, owner: JSON.stringify(caller) });
    expect(() => withIdentity(text(1_999))).toThrow('this one has 4002');
  });

  test('an empty identity is one', () => {
    expect(withIdentity({ user: 'Ada' }, '')).toEqual({ caller: { user: 'Ada' }, owner: '' });
  });
});
