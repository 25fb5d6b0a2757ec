/** A measurement whose listeners fail neither crashes nor waits without end. */
import { expect, onTestFinished, test } from 'vitest';
import { Audience } from '../../src/perf/contenders/audience.ts';

/** Opens listeners that receive all messages, except a listener that fails. */
function listeners(failing = 0) {
  const open = new Set<number>();
  const hearing: ((event: unknown) => void)[] = [];
  const losing: ((error: unknown) => void)[] = [];
  let last = 0;
  const audience = new Audience({
    async listen(hear, lose) {
      const own = ++last;
      if (own === failing) throw new Error('refused');
      await Promise.resolve();
      open.add(own);
      hearing.push(hear);
      losing.push(lose);
      return { close: () => void open.delete(own) };
    },
    say: async (event) => {
      for (const hear of hearing) hear(event);
    },
  });
  return { audience, open, hearing, losing };
}

test('a listener that cannot be opened fails the call, and the others are closed', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const { audience, open } = listeners(2);
  await expect(audience.tell(3)).rejects.toThrow('refused');
  await audience.close();
  expect([...open]).toEqual([]);
  expect(unhandled).toEqual([]);
});

test('a listener whose connection is lost fails the call that waits for it', async () => {
  const { audience, hearing, losing, open } = listeners();
  expect(await audience.tell(3)).toBe(3);
  hearing.pop();
  const told = audience.tell(3);
  losing.at(-1)?.(new Error('lost'));
  await expect(told).rejects.toThrow('lost');
  await expect(audience.tell(3)).rejects.toThrow('lost');
  await audience.close();
  expect([...open]).toEqual([]);
});
