/**
 * Tests what an editor shows at calls of a client. It finds the method of the class and shows its
 * comment, and it finds and renames the calls. The tests ask the language servers of the versions
 * of TypeScript that projects use.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from './editor/editors.ts';

const FILE = join(import.meta.dirname, 'editor/calls.ts');

/**
 * Each row has a call, the text of the declaration of its method, and the comment of the method.
 */
const CALLS: [call: string, declaration: string, comment: string][] = [
  ["board.add('one')", 'add(title: string, position = 0)', 'Adds a card to the board.'],
  ["plain.add('two')", 'add(title: string, position = 0)', 'Adds a card to the board.'],
  ["api.add('three')", 'add(title: string): Card;', 'Adds a card through the interface.'],
  ["tested.add('four')", 'add(title: string, position = 0)', 'Adds a card to the board.'],
  [
    "withOptions(board, { timeout: 5 }).add('five')",
    'add(title: string, position = 0)',
    'Adds a card to the board.',
  ],
  ["board.add('six').title", 'title: string;', 'The title of a card.'],
  ["pending.write('eight')", 'write(text: string)', 'Writes on the board.'],
  ["pen.write('nine')", 'write(text: string)', 'Writes on the board.'],
  ["withOptions(pen, { timeout: 5 }).write('ten')", 'write(text: string)', 'Writes on the board.'],
  ['subscribe(board).cards()', 'cards(): Card[]', 'The cards of the board.'],
  ['subscribe(board).news()', 'news(): Feed<string>', 'The events of the board.'],
  ["subscribe(board).download('txt')", '*download(_format: string)', 'The board as text.'],
  ['subscribe(board).pages()', '*pages(_after?: string)', 'All cards, in their order.'],
  ['subscribe(plain).cards()', 'cards(): Card[]', 'The cards of the board.'],
  ['subscribe(api).news()', 'news(): AsyncIterable<string>', 'News through the interface.'],
  ['subscribe(pen).ink()', 'ink(): number', 'The ink that is left.'],
  ['subscribe(pending).ink()', 'ink(): number', 'The ink that is left.'],
  ['methods.cards()', 'cards(): Card[]', 'The cards of the board.'],
  ['hooked.cards()', 'cards(): Card[]', 'The cards of the board.'],
];

const FOR_OBJECTS =
  'the contract lists the method as internal: only objects and Workers can call it';

/**
 * Each row has a mistake in the use of a client, and the part of the error that identifies the
 * mistake.
 */
const MISTAKES: [expression: string, says: string][] = [
  ['board.compact()', 'the contract does not list the method: add it to the contract'],
  ['plain.compact()', 'the contract does not list the method: add it to the contract'],
  ['pen.refill()', 'the contract does not list the method: add it to the contract'],
  ["board.pen('ann').refill()", 'the contract does not list the method: add it to the contract'],
  ['subscribe(board).compact()', 'the contract does not list the method: add it to the contract'],
  ['board.sweep(5)', FOR_OBJECTS],
  ['plain.sweep(5)', FOR_OBJECTS],
  ['subscribe(board).sweep()', FOR_OBJECTS],
  ['board.news()', 'the method returns a feed: write subscribe(client).news()'],
  ["board.download('txt')", 'the method returns a stream: write subscribe(client).download()'],
  ['board.pages()', 'the method returns rows: write subscribe(client).pages()'],
  ['api.news()', 'the method returns a stream: write subscribe(client).news()'],
  ["subscribe(board).add('x')", 'the method is not live: list it by live([…]) to subscribe to it'],
  ["subscribe(pen).write('x')", 'the method is not live: list it by live([…]) to subscribe to it'],
  [
    "useLive(board, (methods) => methods.add('x'))",
    'the method is not live: list it by live([…]) to subscribe to it',
  ],
  ["api.set('title', 5)", 'the method is generic or overloaded'],
  ['api.get(5)', 'the method is generic or overloaded'],
  ['board.missing()', "does not exist on type 'RpcClient<Board>'"],
  ['pen.missing()', "does not exist on type 'RpcCapability<Pen>'"],
  ['withOptions(board, { timeout: 5 }).missing()', "does not exist on type 'RpcClient<Board>'"],
  ['subscribe(board).missing()', "does not exist on type 'Subscriptions<Board>'"],
  ['board.add(5)', "'number' is not assignable to parameter of type 'string | Promise<string>'"],
];

const TEXT = `${readFileSync(FILE, 'utf8')}
export async function mistakes(): Promise<void> {
  const pen = await board.pen('ann');
${MISTAKES.map(([expression]) => `  void ${expression};\n`).join('')}}
`;

/** Returns the names of the lines in sorted order. */
const linesOf = (places: { file: string; line: string }[]): string[] =>
  places.map(({ file, line }) => `${basename(file)}: ${line}`).toSorted();

/** Returns the offset of a call's last name in the text. */
function offsetOf(call: string): number {
  const start = TEXT.indexOf(`${call}`);
  expect(start).toBeGreaterThan(0);
  return start + call.lastIndexOf('.') + 1;
}

describe.each([5, 6, 7] as const)('TypeScript %i', (version) => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor(version, FILE, TEXT);
  });
  afterAll(() => editor.close());

  test.each(CALLS)(
    '%s leads to the method, with its comment',
    async (call, declaration, comment) => {
      const [definition, ...others] = await editor.definitions(offsetOf(call));
      expect(others).toEqual([]);
      expect(definition?.file).toMatch(/board\.ts$/);
      expect(definition?.line).toContain(declaration);
      // Version 7.0 shows no comment for properties of a mapped type, not even of `Pick`.
      if (version < 7) expect(await editor.hover(offsetOf(call))).toContain(comment);
    },
  );

  test('all calls and the entry of the contract are references of the method, and are renamed', async () => {
    const expected = [
      'board.ts: add(title: string, position = 0): Card {',
      'board.ts: add: [Type.String(), Type.Optional(Type.Number())],',
      ...["board.add('one'),", "plain.add('two'),", "tested.add('four'),"].map(
        (line) => `calls.ts: ${line}`,
      ),
      "calls.ts: withOptions(board, { timeout: 5 }).add('five'),",
      "calls.ts: board.add('six').title,",
      "calls.ts: board.add('seven').author,",
      "calls.ts: void subscribe(board).add('x');",
      "calls.ts: void useLive(board, (methods) => methods.add('x'));",
      'calls.ts: void board.add(5);',
    ].toSorted();
    expect(linesOf(await editor.references(offsetOf("board.add('one')")))).toEqual(expected);
    expect(linesOf(await editor.renames(offsetOf("board.add('one')")))).toEqual(expected);
  });

  test('a subscription, and a call on a capability that has not arrived, are references too', async () => {
    const cards = linesOf(await editor.references(offsetOf('hooked.cards()')));
    expect(cards).toEqual(linesOf(await editor.renames(offsetOf('subscribe(board).cards()'))));
    expect(cards.filter((line) => line.startsWith('calls.ts'))).toHaveLength(4);
    const writes = linesOf(await editor.references(offsetOf("pending.write('eight')")));
    expect(writes.filter((line) => line.startsWith('calls.ts'))).toHaveLength(4);
  });

  test('the types of clients have the names that the code gives them', async () => {
    const shown = async (name: string) => editor.hover(TEXT.indexOf(`const ${name} =`) + 6);
    expect(await shown('board')).toContain('const board: RpcClient<Board>');
    expect(await shown('api')).toContain('const api: RpcClient<BoardApi>');
    expect(await shown('tested')).toContain('const tested: RpcClient<Board>');
    expect(await shown('pen')).toContain('const pen: RpcCapability<Pen>');
    // Version 7.0 shows a property.
    expect(await editor.hover(offsetOf("board.add('one')"))).toMatch(
      /add(: )?\(title: string \| Promise<string>, position\?: number \| .*\)(:| =>) RpcPromise<Card>/,
    );
  });

  test('an error identifies the mistake, in at most 200 characters', async () => {
    const found = new Map((await editor.errors()).map(({ line, text }) => [line, text]));
    const expected = MISTAKES.map(([expression, says]) => [
      `void ${expression};`,
      expect.stringContaining(says),
    ]);
    expect([...found]).toEqual(expected);
    expect([...found].filter(([, text]) => text.length > 200)).toEqual([]);
  });
});
