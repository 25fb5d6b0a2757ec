/** Tests the components of examples on the React page, and pages to which the user adds them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withComponent } from '../../add/page-components.mjs';
import { EXAMPLES } from '../../examples.mjs';
import { ownFolder } from '../../own-package.mjs';

const PAGE = readFileSync(ownFolder('examples/ui/react/files/src/ui/main.tsx'), 'utf8');
const { room, board, bank } = EXAMPLES;
if (!room || !board || !bank) throw new Error('There are no such examples');

test('the lines come first on the page that this program created', () => {
  const after = withComponent(withComponent(PAGE, room) ?? '', board) ?? '';
  expect(after.split('\n').length).toBe(PAGE.split('\n').length + 4);
  expect(after).toContain(
    "import { CounterPanel } from './counter.tsx';\nimport { RoomPanel } from './room.tsx';\nimport { BoardPanel } from './board.tsx';\n",
  );
  expect(after).toContain(
    '      <main>\n        <BoardPanel />\n        <RoomPanel />\n        <CounterPanel />\n',
  );
});

test.each([
  ['an example without a component', PAGE, bank],
  ['a page without main', PAGE.replace('<main>', '<div>'), room],
  ['a page with two', `${PAGE}\n<main>\n`, room],
  ['a page that has it', PAGE.replace('<CounterPanel />', '<RoomPanel />'), room],
  ['an empty page', '', room],
])('the user adds it: %s', (_, page, example) => {
  expect(withComponent(page, example)).toBeUndefined();
});
