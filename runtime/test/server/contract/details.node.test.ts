/**
 * Tests who receives the details of an error that a method throws, without the option: only the
 * developer.
 */
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { bundle } from '../../../../harness/runtime/worker-bundle.ts';
import { TestWorker } from '../../support/test-worker.ts';

/** Builds the Worker as a shell with `NODE_ENV=development` does. */
const development: Plugin = {
  name: 'development',
  setup({ initialOptions }) {
    initialOptions.define = {
      ...initialOptions.define,
      'process.env.NODE_ENV': '"development"',
      'import.meta.env': '{"DEV":true}',
    };
  },
};

/** Names the bundle in stacks like a file of a local machine. */
const named: Plugin = {
  name: 'named',
  setup({ initialOptions }) {
    initialOptions.footer = { js: '//# sourceURL=file:///home/ann/app/index.js' };
  },
};

const QUIET =
  '[[1,"error",[["Error","RangeError","RangeError","no such thing",[],{"code":"E_NONE"}]]]]';

test.each([
  ['a deployment', []],
  ['a deployment whose bundle is named like a file', [named]],
  ['a deployment that was built for development', [development]],
])('%s sends no details, unless the option says otherwise', async (_, plugins) => {
  const folder = join(import.meta.dirname, 'details');
  const code = await bundle(join(folder, 'worker.ts'), { plugins });
  const bindings = { QUIET: 'Quiet', FRANK: 'Frank', UNDEFINED: 'Undefined' };
  const worker = await TestWorker.forTests(folder, bindings, { code });
  for (const binding of ['QUIET', 'UNDEFINED'] as const) {
    using raw = await worker.raw('x', { binding });
    expect(await raw.ask('[1,"fail"]')).toBe(QUIET);
    // Errors of the runtime keep their properties.
    expect(await raw.ask('[2,"take",["x"]]')).toMatch(/"code":"INVALID_ARGUMENTS","path":"\[0\]"/);
    expect(await raw.ask('[3,"failWithRpcError"]')).toMatch(/"path":"\[0\]\.mine"/);
  }
  using frank = await worker.raw('x', { binding: 'FRANK' });
  expect(await frank.ask('[1,"fail"]')).toMatch(/fail \(.*"detail":"a secret".*"cause"/);
});
