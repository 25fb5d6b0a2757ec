import { expect, test } from 'vitest';
import { decide } from '../../update/prepare.mjs';

const NONE = undefined;

test.each([
  ['nothing changed', 'a', 'a', 'a', 'leave'],
  ['only the user changed it', 'a', 'mine', 'a', 'leave'],
  ['only the user deleted it', 'a', NONE, 'a', 'leave'],
  ['the user has the new one already', 'a', 'b', 'b', 'leave'],
  ['the user added what is new', NONE, 'b', 'b', 'leave'],
  ['both deleted it', 'a', NONE, NONE, 'leave'],
  ['only the new version changed it', 'a', 'a', 'b', 'replace'],
  ['it is new', NONE, NONE, 'b', 'add'],
  ['it is gone', 'a', 'a', NONE, 'remove'],
  ['it is gone, and the user changed it', 'a', 'mine', NONE, 'keep'],
  ['both changed it', 'a', 'mine', 'b', 'merge'],
  ['it changed, and the user deleted it', 'a', NONE, 'b', 'set aside'],
  ['it is new, and the user has another', NONE, 'mine', 'b', 'set aside'],
])('%s', (_, shipped, current, next, action) => {
  expect(decide(shipped, current, next)).toBe(action);
});
