/** That the projects of tests on the built package have it, and not the sources that the tests name. */
import { expect, test } from 'vitest';
import { RpcError, withOptions } from '../../src/client.ts';
import { RpcError as RpcErrorOfWire } from '../../src/wire/errors.ts';

test('what a test imports from the sources is of the built package', () => {
  expect(() => withOptions({}, {})).toThrow(
    expect.objectContaining({
      stack: expect.stringMatching(/withOptions .*dist\/client-core\.js/),
    }),
  );
  expect(RpcErrorOfWire).toBe(RpcError);
});
