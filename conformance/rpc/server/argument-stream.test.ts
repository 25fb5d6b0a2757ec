/** For how long the object waits for a client whose stream a method reads, and when it acknowledges items. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ArgumentStream } from '../../../template/src/rpc/server/argument-stream.ts';
import { DEFAULT_LIMITS } from '../../../template/src/rpc/server/limits.ts';
import { Peer } from '../../../template/src/rpc/server/peer.ts';

test('a client that comes back in time may be away as long again', async () => {
  const frames: unknown[] = [];
  const there = new Peer({}, { send: (frame) => frames.push(frame), close() {} });
  let peer: Peer | undefined;
  const owner = { limits: DEFAULT_LIMITS, connection: () => peer, await() {} };
  const stream = new ArgumentStream(1, 1, owner);
  const items = stream[Symbol.asyncIterator]();
  const first = items.next();
  stream.look(0, 100);
  stream.look(99, 100);
  peer = there;
  stream.look(199, 100);
  await Promise.resolve();
  // It is asked whether it still has the stream.
  expect(frames).toEqual(['[["ack",1,0]]']);
  peer = undefined;
  stream.look(200, 100);
  stream.look(299, 100);
  stream.push([1, 'item'], there);
  expect(await first).toEqual({ done: false, value: 'item' });
  stream.look(300, 100);
  await expect(items.next()).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
});

test('a method that takes its time with each item is heard of, so that its call does not time out', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const frames: unknown[] = [];
  const peer = new Peer({}, { send: (frame) => frames.push(frame), close() {} });
  const owner = { limits: DEFAULT_LIMITS, connection: () => peer, await() {} };
  const stream = new ArgumentStream(1, 1, owner);
  for (let i = 1; i <= 4; i++) stream.push([i, 'item'], peer);
  const items = stream[Symbol.asyncIterator]();
  await items.next();
  vi.advanceTimersByTime(999);
  await items.next();
  await Promise.resolve();
  expect(frames).toEqual([]);
  vi.advanceTimersByTime(1);
  await items.next();
  await Promise.resolve();
  expect(frames).toEqual(['[["ack",1,3]]']);
  await items.next();
  await Promise.resolve();
  expect(frames).toHaveLength(1);
});
