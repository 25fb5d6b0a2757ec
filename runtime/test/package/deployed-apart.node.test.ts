/** The guide on deployments says what happens to calls between a page and an object of different times. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Type from '../../src/typebox.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRpcClient, RpcError } from '../../src/client.ts';
import { messagePortTransport } from '../../src/client/transports/message-port.ts';
import { compileContract, type Contract, servePort } from '../../src/server.ts';

const PAGE = 'runtime/docs/guides/changes-and-deploys.md';

/** An object as it was deployed at one time, and what a page of that time does with it. */
interface Version {
  contract: Contract;
  object: object;
  use(object: Methods): Promise<unknown>;
}

type Methods = Record<string, (...args: unknown[]) => Promise<Record<string, unknown>>>;

const greet = (name = ''): object => ({ text: `Hello ${name}` });
const text = Type.String({ maxLength: 5 });

const before: Version = {
  contract: { greet: [text] },
  object: { greet },
  use: (object) => object['greet']!('Ada'),
};

/** By what the table calls it: the version before, and the one after. */
const CHANGES: Record<string, [Version, Version]> = {
  'add a method': [
    before,
    {
      contract: { greet: [text], part: [] },
      object: { greet, part: () => 'Bye' },
      use: (object) => object['part']!(),
    },
  ],
  'remove a method': [before, { ...before, contract: {}, use: async () => {} }],
  'rename a method': [
    before,
    {
      contract: { welcome: [text] },
      object: { welcome: greet },
      use: (object) => object['welcome']!('Ada'),
    },
  ],
  'add an optional argument': [
    before,
    {
      ...before,
      contract: { greet: [text, Type.Optional(text)] },
      use: (object) => object['greet']!('Ada', 'Dr.'),
    },
  ],
  'add a required argument': [
    before,
    {
      ...before,
      contract: { greet: [text, text] },
      use: (object) => object['greet']!('Ada', 'Dr.'),
    },
  ],
  'allow more values': [
    before,
    {
      ...before,
      contract: { greet: [Type.String({ maxLength: 10 })] },
      use: (object) => object['greet']!('Ada Lovel.'),
    },
  ],
  'allow fewer values': [
    before,
    {
      ...before,
      contract: { greet: [Type.String({ maxLength: 2 })] },
      use: (object) => object['greet']!('A.'),
    },
  ],
  'add a property to a result': [
    before,
    {
      ...before,
      object: { greet: () => ({ text: 'Hello', language: 'en' }) },
      async use(object) {
        const { language } = await object['greet']!('Ada');
        if (language === undefined) throw new Error('it is `undefined`');
      },
    },
  ],
};

const guide = readFileSync(join(import.meta.dirname, '../../..', PAGE), 'utf8');
const [, section = ''] = guide.split('## Change the contract');
const [table = ''] = section.split('\n## ');
const rows = Array.from(table.matchAll(/^\| (.*) \|$/gm), ([, row = '']) =>
  row.split(' | ').map((cell) => cell.trim()),
).slice(2);

test('the table has these changes', () => {
  expect(rows.map(([change]) => change)).toEqual(Object.keys(CHANGES));
});

describe.each(rows)('%s', (change, oldPage, newPage, deployments) => {
  const [old, next] = CHANGES[change as string] as [Version, Version];

  test('old page, new object', async () => {
    expect(await outcome(old, next)).toBe(oldPage);
  });

  test('new page, old object', async () => {
    expect(await outcome(next, old)).toBe(newPage);
  });

  test('how many deployments it takes', () => {
    const fails = (cell: string | undefined): boolean => `${cell}`.startsWith('`');
    const needed = 1 + Number(fails(oldPage)) + Number(fails(newPage));
    // A page that waits for a method, and an object that has it, can come together.
    expect(deployments).toBe(change === 'add a method' ? '1, or 2' : `${needed}`);
  });

  test('of the same time they work', async () => {
    expect(await outcome(old, old)).toBe('works');
    expect(await outcome(next, next)).toBe('works');
  });
});

async function outcome(page: Version, { object, contract }: Version): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port1, object, compileContract(contract));
  onTestFinished(() => served.close());
  using client = createRpcClient<object>('OBJECT', 'x', {
    transport: messagePortTransport(port2),
  });
  try {
    await page.use(client as unknown as Methods);
    return 'works';
  } catch (error) {
    return error instanceof RpcError ? `\`${error.code}\`` : (error as Error).message;
  }
}
