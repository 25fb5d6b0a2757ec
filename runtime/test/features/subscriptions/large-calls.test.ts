/** Large arguments of a subscription cost only their decoding and validation until they are accepted. */
import * as Type from '../../../src/typebox.ts';
import { afterEach, expect, test, vi } from 'vitest';
import {
  compileContract,
  events,
  feed,
  type Feed,
  live,
  read,
  rows,
  stream,
} from '../../../src/server.ts';
import { thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';

class Board {
  live(text: string): number {
    return text.length;
  }

  events(_text: string): Feed<string> {
    return feed<string>(this, 'events');
  }

  *stream(text: string): Generator<number> {
    yield text.length;
  }

  *rows(text: string): Generator<{ id: number }> {
    yield { id: text.length };
  }

  read(text: string): number {
    return text.length;
  }

  one(): number {
    return 1;
  }
}

const text = [Type.String({ maxLength: 50_000 })] as const;
const contract = compileContract({
  live: live(text),
  events: events(text),
  stream: stream(text),
  rows: rows('id', [...text, Type.Optional(Type.Integer())]),
  one: read(),
  read: read(text),
});

afterEach(() => void vi.restoreAllMocks());

const LARGE = JSON.stringify('x'.repeat(50_000));
const TOO_LARGE = JSON.stringify('x'.repeat(50_001));
const REFUSED = 'LIMIT_EXCEEDED';

test.each<[string, string, string | undefined]>([
  ['live', LARGE, REFUSED],
  ['rows', LARGE, REFUSED],
  ['events', LARGE, undefined],
  ['stream', LARGE, undefined],
  ['events', TOO_LARGE, 'INVALID_ARGUMENTS'],
  ['stream', TOO_LARGE, 'INVALID_ARGUMENTS'],
  ['read', LARGE, 'METHOD_NOT_FOUND'],
  ['absent', LARGE, 'METHOD_NOT_FOUND'],
])('%s makes no copy of the arguments', async (method, argument, code) => {
  const raw = openPort(new Board(), contract);
  const copy = vi.spyOn(globalThis, 'structuredClone');
  const plain = await raw.exchange(`["subscribe",1,null,"${method}",[${argument}]]`);
  const rich = await raw.exchange(`["subscribe",2,null,"${method}","rich",[[[${argument}]]]]`);
  for (const [answer] of [plain, rich]) {
    if (code === undefined) expect(answer![0]).toBe('subscribed');
    else expect(thrownBy(answer)).toMatchObject({ code });
  }
  expect(copy).not.toHaveBeenCalled();
});
