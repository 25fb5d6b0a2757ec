/** Tests the digits of π, which are read in a loop. */
import { expect, test } from 'vitest';
import { subscribe } from 'lumenize-rpc/client';
import { connect } from 'lumenize-rpc/testing';
import type { Pi } from '../src/pi.ts';

const open = (name: string) => connect<Pi>('PI', name, { as: null });

test('the digits are correct, and can be read again', async () => {
  using pi = open('all');
  const expected = `${Math.PI}`.replace('.', '');
  for (const _ of [1, 2]) {
    let text = '';
    for await (const digit of subscribe(pi).digits(expected.length)) text += digit;
    expect(text).toBe(expected);
  }
});

test('a loop ends when its reader leaves it', async () => {
  using pi = open('some');
  let text = '';
  for await (const digit of subscribe(pi).digits(1_000)) {
    text += digit;
    if (text.length === 3) break;
  }
  expect(text).toBe('314');
});

test('more than a thousand digits are refused', async () => {
  using pi = open('more');
  const read = async (): Promise<void> => {
    for await (const digit of subscribe(pi).digits(1_001)) expect(digit).toBe(undefined);
  };
  await expect(read()).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]' });
});
