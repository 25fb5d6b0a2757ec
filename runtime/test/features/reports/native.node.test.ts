/** Reports of native calls where the stack alone tells them from calls by the class itself. */
import { expect, test } from 'vitest';
import { serve } from './native/serve.ts';

const worker = await serve();

async function reported(path: string): Promise<unknown> {
  return (await fetch(`${worker.runtime.url}/${path}`)).json();
}

test.each([
  ['add', ['native add']],
  ['addTwice', ['native addTwice']],
  ['addLater', ['native addLater']],
  ['addByStub', ['native add', 'native addByStub']],
])('of %s by native RPC, a call by the class itself is a part', async (method, expected) => {
  expect(await reported(method)).toEqual(expected);
});

test.each([
  ['addTwice', ['call addTwice']],
  ['addLater', ['call addLater']],
  ['addByStub', ['native add', 'call addByStub']],
] as const)('of %s by a client too', async (method, expected) => {
  using counted = worker.connect('called');
  await counted[method]();
  expect(await reported('')).toEqual(expected);
});
