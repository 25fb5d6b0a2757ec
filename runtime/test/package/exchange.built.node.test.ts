/** The exchange on the page of the protocol really happens, and the codec reads all its frames. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import type { Counter } from '../../../template/src/counter.ts';
import { createRpcClient } from '../../src/client.ts';
import { readAnyFrame } from '../../src/wire/bytes.ts';
import { checkCall, isId } from '../../src/wire/messages.ts';
import { decodeRich } from '../../src/wire/values/rich-decoder.ts';

const TEMPLATE = join(import.meta.dirname, '../../../template');
const page = readFileSync(join(TEMPLATE, '../runtime/docs/protocol.md'), 'utf8');
const [, code = ''] = /^```ts\n(const sum = [^]*?)^```$/m.exec(page) ?? [];
const [, shown = ''] = /^```\n(up [^]*?)^```$/m.exec(page) ?? [];

test('code and frames agree', async () => {
  await using runtime = await Runtime.serve({ config: join(TEMPLATE, 'wrangler.jsonc') });
  const seen: string[] = [];
  class Observed extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => seen.push(`down  ${data}`));
    }

    override send(frame: string): void {
      seen.push(`up    ${frame}`);
      super.send(frame);
    }
  }
  using counter = createRpcClient<Counter>('COUNTER', 'exchange', {
    baseUrl: runtime.url,
    WebSocket: Observed,
  });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  // The object refuses one of the calls.
  await expect(AsyncFunction('counter', code)(counter)).rejects.toThrow('increment: argument');
  const lines = shown.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(seen).toHaveLength(2);
  for (const [index, line] of lines.entries()) {
    const missing = line.split('…').filter((part) => !seen[index]?.includes(part));
    expect(missing, `${line}\n${seen[index]}`).toEqual([]);
  }
});

describe('a frame of the page', () => {
  const lines = Array.from(page.matchAll(/^(up|down) +(\[.*)$/gm), ([, way, frame]) => ({
    way,
    frame: frame as string,
  })).filter(({ frame }) => !frame.includes('…'));

  test('the page has frames in both directions', () => {
    expect(new Set(lines.map(({ way }) => way))).toEqual(new Set(['up', 'down']));
    expect(lines.length).toBeGreaterThan(15);
  });

  test.each(lines)('$way $frame', ({ way, frame }) => {
    const [text = '', count] = frame.split(/ 0 ⟨([\d ]+) bytes⟩$/);
    const messages = readAnyFrame(count ? withBytes(text, Number(count.replace(' ', ''))) : text);
    expect(messages).not.toBeUndefined();
    for (const message of messages ?? []) {
      if (way === 'up' && isId(message[0])) checkCall(message);
      const value =
        message.at(-2) === 'rich' && decodeRich(message.at(-1), (reference) => reference);
      if (count && value) expect(value).toEqual(['photo', new ArrayBuffer(2_000)]);
    }
  });
});

function withBytes(text: string, count: number): ArrayBuffer {
  const head = new TextEncoder().encode(`${text}\0`);
  const frame = new Uint8Array(head.length + count);
  frame.set(head);
  return frame.buffer;
}
