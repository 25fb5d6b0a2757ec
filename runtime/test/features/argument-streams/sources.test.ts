/** A client sends the items of a stream: in which frames it sends them, and which items it does not send. */
import * as Type from '../../../src/typebox.ts';
import { expect, onTestFinished, test } from 'vitest';
import { messagePortTransport } from '../../../src/client/transports/message-port.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import { compileContract, servePort, streamOf } from '../../../src/server.ts';
import type { Frame } from '../../../src/wire/messages.ts';

class Sink {
  async take(values: AsyncIterable<string>): Promise<number> {
    let taken = 0;
    for await (const _ of values) taken++;
    return taken;
  }

  /** Reads no item. */
  async leave(values: AsyncIterable<string>): Promise<void> {
    void values;
  }
}

function connect(): { client: RpcClient<Sink>; sent: Frame[] } {
  const { port1, port2 } = new MessageChannel();
  const strings = streamOf(Type.String());
  const served = servePort(
    port2,
    new Sink(),
    compileContract({ take: [strings], leave: [strings] }),
  );
  const port = messagePortTransport(port1);
  const sent: Frame[] = [];
  const transport = {
    ...port,
    send(frame: Frame): void {
      sent.push(frame);
      port.send(frame);
    },
  };
  const client = createRpcClient<Sink>('SINK', 'x', { transport });
  onTestFinished(() => {
    client.close();
    served.close();
  });
  return { client, sent };
}

test('items of a turn leave in frames of 64 KiB, so that other messages come between them', async () => {
  const { client, sent } = connect();
  const text = 'x'.repeat(30_000);
  expect(await client.take(stream(Array.from({ length: 9 }, () => text).values()))).toBe(9);
  const sizes = sent.map((frame) => (frame as string).length);
  // The third item exceeds the limit, so the frame has no fourth item.
  expect(Math.max(...sizes)).toBeGreaterThan(3 * text.length);
  expect(Math.max(...sizes)).toBeLessThan(4 * text.length);
});

test('the items of a stream that has been ended are not sent', async () => {
  const { client, sent } = connect();
  const item = Promise.withResolvers<IteratorResult<string>>();
  await client.leave(stream({ [Symbol.asyncIterator]: () => ({ next: () => item.promise }) }));
  const { length } = sent;
  item.resolve({ value: 'late' });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(sent.slice(length)).toEqual([]);
});
