/**
 * Binary frames that no client of this package sends, over sockets and POSTs. The object rejects each of them. The
 * connection, the object and other clients go on.
 */
import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../src/perf/measure/statistics.ts';
import { BINARY_TYPE } from '../../../src/wire/messages.ts';
import { serve } from './serve.ts';

const worker = await serve();

const CALL = '[1,"hash","rich",[[[[1]]],["Bytes",0]]]';

/** Returns a binary frame: the text, a byte 0, and `length` bytes. */
function binary(text: string, length: number): ArrayBuffer {
  const head = new TextEncoder().encode(`${text}\0`);
  const frame = new Uint8Array(head.length + length);
  frame.set(head);
  return frame.buffer;
}

const good = binary(`[["bytes",2000],${CALL}]`, 2_000);

const random = randomNumbers(20_261_122);
const some = (most: number): number => Math.floor(random() * most);

const noise = Array.from({ length: 50 }, (_, index): [string, ArrayBuffer] => [
  `noise ${index}`,
  Uint8Array.from({ length: 1 + some(3_000) }, () => some(256)).buffer,
]);
/** A frame that lacks only its last byte is not among these frames, because it has another error. */
const truncated = Array.from({ length: 30 }, (): [string, ArrayBuffer] => {
  const length = some(good.byteLength);
  return [`a good frame's first ${length} bytes`, good.slice(0, length)];
});

const FRAMES: [string, ArrayBuffer][] = [
  ['nothing', new ArrayBuffer(0)],
  ['a byte 0', new ArrayBuffer(1)],
  ['zeros', new ArrayBuffer(100_000)],
  ['text without an end', new TextEncoder().encode(`[${CALL}]`).slice().buffer],
  ['a length that is too large', binary(`[["bytes",2001],${CALL}]`, 2_000)],
  ['a length beyond all memory', binary(`[["bytes",9007199254740991],${CALL}]`, 2_000)],
  ['a length beyond all numbers', binary(`[["bytes",1e308],${CALL}]`, 2_000)],
  ['a negative length', binary(`[["bytes",4000,-2000],${CALL}]`, 2_000)],
  ['more bytes than the lengths say', binary(`[["bytes",2000],${CALL}]`, 2_001)],
  ['100 000 lengths', binary(`[["bytes"${',1025'.repeat(100_000)}],${CALL}]`, 2_000)],
  ['100 000 messages with lengths', binary(`[${'["bytes",1025],'.repeat(100_000)}${CALL}]`, 2_000)],
  ['100 000 brackets that open', binary('['.repeat(100_000), 2_000)],
  ['text that is not UTF-8', Uint8Array.of(0x5b, 0xff, 0x5d, 0).buffer],
  ...truncated,
  ...noise,
];

describe('every such frame is rejected, and its sender goes on', () => {
  test('over one socket', async () => {
    using raw = await worker.raw('socket');
    using bystander = await worker.raw('socket');
    for (const [name, frame] of FRAMES) {
      raw.send(frame);
      expect(await raw.next(), name).toMatch(/^\[\["error",.*BAD_MESSAGE/);
      expect(await bystander.ask('[1,"life"]'), name).toMatch(/^\[\[1,/);
    }
    raw.send(good);
    expect(await raw.next()).toMatch(/^\[\[1,"/);
  });

  test('over POST', async () => {
    const post = async (body: ArrayBuffer): Promise<string> => {
      const headers = { 'Content-Type': BINARY_TYPE };
      const response = await fetch(worker.urlOf('post'), { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      return response.text();
    };
    for (const [name, frame] of FRAMES) {
      expect(await post(frame), name).toMatch(/^\[\["error",.*BAD_MESSAGE/);
    }
    expect(await post(good)).toMatch(/^\[\[1,"/);
  });
});

test('a frame that is too large is rejected by its size, whatever it contains', async () => {
  using raw = await worker.raw('small', { binding: 'SMALL' });
  // The first frame has more than three bytes for each allowed character, and the second has fewer.
  for (const length of [400_000, 100_000]) {
    raw.send(binary(`[["bytes",${length}],${CALL}]`, length));
    expect(await raw.next()).toMatch(/^\[\["error",.*LIMIT_EXCEEDED/);
  }
  raw.send(good);
  expect(await raw.next()).toMatch(/^\[\[1,"/);
});

test('bad binary frames count as rejections, and too many end the connection', async () => {
  using raw = await worker.raw('abuse');
  using bystander = await worker.raw('abuse');
  const [, frame] = FRAMES[0] as [string, ArrayBuffer];
  for (let count = 0; count <= 1_000; count++) raw.send(frame);
  let last = '';
  while (!last.startsWith('closed')) last = await raw.next();
  expect(last).toMatch(/^closed 4429/);
  expect(await bystander.ask('[1,"life"]')).toMatch(/^\[\[1,/);
});

test('lengths in a frame of text are rejected, and the connection goes on', async () => {
  using raw = await worker.raw('lengths');
  expect(await raw.ask(`["bytes",2000],${CALL}`)).toMatch(/^\[\["error",.*BAD_MESSAGE/);
  expect(await raw.ask('[2,"life"]')).toMatch(/^\[\[2,/);
});

test('an object without the option rejects binary frames, and says what it needs', async () => {
  using raw = await worker.raw('plain', { binding: 'PLAIN' });
  for (const frame of [good, FRAMES[0]?.[1] as ArrayBuffer]) {
    raw.send(frame);
    const answer = await raw.next();
    expect(answer).toMatch(/^\[\["error",.*UNSUPPORTED/);
    expect(answer).toContain('The contract does not use bytes');
  }
  expect(await raw.ask('[1,"life"]')).toMatch(/^\[\[1,/);
});

test('a subscription with bytes must be sent as text, because the object stores it as text', async () => {
  using raw = await worker.raw('subscription');
  const subscribing = '["subscribe",1,null,"live","rich",[[[[1]]],["Bytes",0]]]';
  raw.send(binary(`[["bytes",2000],${subscribing}]`, 2_000));
  const answer = await raw.next();
  expect(answer).toMatch(/^\[\["error",.*BAD_MESSAGE/);
  expect(answer).toContain('Bytes in the arguments of a subscription must be sent as text');
});
