/** Tests the preview of changes to files. */
import { expect, test } from 'vitest';
import { lineChanges } from '../../../add/text/line-changes.mjs';

test.each([
  ['nothing', 'a\n\nb\n', 'a\n\nb\n', []],
  ['lines at the end', 'a\n', 'a\n\nb\nc\n', ['+ ', '+ b', '+ c']],
  ['two groups at the end', 'a\n', 'a\n\nb\n\nc\n', ['+ ', '+ b', '+ ', '+ c']],
  ['lines before a blank line', 'a\n\nz\n', 'a\n\nb\n\nz\n', ['+ ', '+ b']],
  ['lines at two places', 'a\n\nz\n\ny\n', 'a\n\nb\n\nz\n\nc\n\ny\n', ['+ ', '+ b', '+ ', '+ c']],
  ['a line that is replaced', 'a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
  ['a line that is removed', 'a\n\nb\n', 'a\n', ['- ', '- b']],
  ['lines of which some move', 'a\nb\nc\nd', 'b\nd\na', ['- a', '- c', '+ a']],
  ['lines that move the other way', 'b\nd\na', 'a\nb\nc\nd', ['+ a', '+ c', '- a']],
  ['the first and the last line', 'a\nx\nb', 'c\nx\nd', ['- a', '+ c', '- b', '+ d']],
  ['repetitions that are removed', 'a\na\na', 'a', ['- a', '- a']],
  ['repetitions that are added', 'a', 'a\na\na', ['+ a', '+ a']],
  ['a list below its last item', '[\n  1\n],', '[\n  1\n],\n[\n  2\n],', ['+ [', '+   2', '+ ],']],
])('%s', (_, before, after, changes) => {
  expect(lineChanges(before, after)).toEqual(changes);
  expect(lineChanges(before.replaceAll('\n', '\r\n'), after)).toEqual(changes);
});
