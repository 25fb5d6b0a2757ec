/** Tests on the built package import the package, although they name the sources. */
import { expect, test } from 'vitest';
import { RpcError, withOptions } from '../../src/client.ts';
import { RpcError as RpcErrorOfWire } from '../../src/wire/errors.ts';

test('imports of the sources resolve to the built package', () => {
  expect(() => withOptions({}, {})).toThrow(
    expect.objectContaining({
      stack: expect.stringMatching(/withOptions .*dist\/client-core\.js/),
    }),
  );
  expect(RpcErrorOfWire).toBe(RpcError);
});
