/**
 * Tests contracts with a mistake in a bundle for production, which has no explanations. A contract
 * that would accept a forbidden call is refused nevertheless.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import * as Type from '../../src/typebox.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as server from '../../src/server.ts';

type Server = Pick<typeof server, 'capability' | 'compileContract' | 'read'>;

/**
 * Returns the package as it is in a bundle for production.
 *
 * @param name - each name gives a separate copy
 */
async function inProduction(name: string): Promise<Server> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { capability, compileContract, read } from './server.ts';`,
      resolveDir: join(import.meta.dirname, '../../src'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
    footer: { js: `// ${name}` },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Server;
}

let own: Server;
let other: Server;

beforeAll(async () => {
  own = await inProduction('own');
  other = await inProduction('other');
});

const methodsOf = (contract: object, options = {}): server.CompiledContract['methods'] =>
  own.compileContract(contract as server.Contract, options).methods;

const deskOf = ({ capability }: Server): ReturnType<typeof capability> =>
  capability(
    class Desk {
      owner(): void {}
    },
    [],
    { owner: [] },
  );

describe('a contract is refused for', () => {
  test.each<[string, () => object]>([
    ['a reserved name', () => ({ fetch: [] })],
    ['a name that every object has', () => ({ valueOf: [] })],
    ['an entry that is not a value', () => ({ save: undefined })],
    ['an entry without a list', () => ({ save: { readonly: true } })],
    ['a schema without brackets', () => ({ save: Type.Integer() })],
    ['an argument that is not a schema', () => ({ save: [undefined] })],
    ['an argument that is a class', () => ({ save: [Number] })],
    ['an argument that is a list', () => ({ save: [[Type.Integer()]] })],
    ['a capability of another copy', () => ({ save: [deskOf(other)] })],
    ['a returns of another copy', () => ({ save: { input: [], returns: deskOf(other) } })],
    ['a returns that is not a capability', () => ({ save: { input: [], returns: Date } })],
    ['two capabilities with one name', () => ({ save: [deskOf(own)], load: [deskOf(own)] })],
  ])('%s', (_, contract) => {
    expect(() => methodsOf(contract())).toThrow(TypeError);
  });

  test.each([Number.NaN, -1, 'many'])('a limit of %s', (frameSize) => {
    expect(() => methodsOf({}, { limits: { frameSize } })).toThrow(TypeError);
  });
});

describe('a contract uses the safe meaning', () => {
  test.each<[string, () => object, object]>([
    ['of a readonly like true', () => ({ input: [], readonly: 'yes' }), { readonly: false }],
    ['of a misspelled readonly', () => ({ input: [], readOnly: true }), { readonly: false }],
    ['of a plain like true', () => ({ input: [], plain: 1 }), { plain: false }],
    [
      'of a plain result with capabilities',
      () => ({ input: [], plain: true, returns: deskOf(own) }),
      { plain: false },
    ],
  ])('%s', (_, entry, expected) => {
    expect(methodsOf({ save: entry() }).get('save')).toMatchObject(expected);
  });
});

test('an error has the path, what was expected and what arrived', () => {
  const list = Type.Array(Type.String({ maxLength: 2 }), { title: 'labels' });
  const schema = Type.Object({ list }, { additionalProperties: false });
  const save = methodsOf({ save: [schema] }).get('save');
  for (const [value, path, message] of [
    [{ list: [1] }, '[0].list[0]', 'must be string, got 1'],
    [{ list: ['abc'] }, '[0].list[0]', 'must have at most 2 characters, got 3'],
    [{}, '[0].list', 'save: argument [0].list is required'],
    [{ list: [], more: 1 }, '[0].more', 'save: argument [0].more is not allowed'],
  ] as const) {
    expect(() => save?.validate([value])).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENTS',
        path,
        message: expect.stringContaining(message),
      }),
    );
  }
});
