/** Reports of native calls if only the stack shows whether the class itself made the call. */
import { expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
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
  ['addTwice?no-stack', ['native addTwice']],
  ['addLater?own-stack', ['native addLater']],
])(
  'a native call of %s is reported once, with the calls that the class makes itself',
  async (method, expected) => {
    expect(await reported(method)).toEqual(expected);
  },
);

test.each([
  ['addTwice', ['call addTwice']],
  ['addLater', ['call addLater']],
  ['addByStub', ['native add', 'call addByStub']],
] as const)(
  'a call of %s by a client is reported once, with the calls that the class makes itself',
  async (method, expected) => {
    using counted = worker.connect('called');
    await counted[method]();
    expect(await reported('')).toEqual(expected);
  },
);

test('of an alarm that is shared with a relay, a call by the class itself is a part', async () => {
  const all = (await reported('plan')) as string[];
  await until(async () => all.push(...((await reported('')) as string[])) > 1);
  expect(all).toEqual(['native plan', 'alarm alarm']);
});
