/** Bundles for development explain what to do instead of sending a value that cannot be sent. */
import { expect, test } from 'vitest';
import { hintFor } from '../../../src/server/diagnostics/unsendable.ts';

test.each([
  ['a Request at top: send its body', 'as the stream that the method returns'],
  ['an instance of ReadableStream at .body', 'lists by stream([…])'],
  ['an instance of AsyncGenerator at top', 'lists by stream([…])'],
  ['an instance of FeedOfObject at .feed', 'lists by events([…])'],
  ['an instance of Money at top', 'return its data as a plain object'],
  ['a custom object at .price', 'return its data as a plain object'],
])('%s', (problem, hint) => {
  expect(hintFor(`Cannot send ${problem}`)).toContain(hint);
});

test('other messages have no hint', () => {
  expect(hintFor('Cannot send a function at [0]')).toBeUndefined();
});
