/** Tests output to a pipe whose reader is slow, or closes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** A length that exceeds the buffer of any pipe. */
const LENGTH = 4_000_000;
const OUTPUT = new URL('../../console/output.mjs', import.meta.url).href;

/** Starts a program that prints a long text to a pipe that another program has made non-blocking. */
function printing() {
  const program = `
    import { print } from '${OUTPUT}';
    process.stdout._handle.setBlocking(false);
    print(1, 'x'.repeat(${LENGTH}));
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('waits for a slow reader, and loses nothing', async () => {
  const child = printing();
  let length = 0;
  child.stdout.on('data', (chunk) => (length += chunk.length));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(length).toBe(LENGTH);
});

test('ends as usual if the reader closes the pipe', async () => {
  const child = printing();
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
