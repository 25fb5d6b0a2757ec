/** What the streams of an object hold in its memory is given back when they end, however they end. */
import { expect, onTestFinished, test } from 'vitest';
import { compileContract, type ServedPort, servePort } from '../../../template/src/rpc/server.ts';
import { streamsOf } from '../../../template/src/rpc/server/streams.ts';

class Producer {
  *texts(): Generator<string> {
    for (;;) yield 'x'.repeat(1_000);
  }

  *few(): Generator<string> {
    yield 'x';
  }

  *unsendable(): Generator<unknown> {
    yield 'x'.repeat(1_000);
    yield () => {};
  }
}

const read = { input: [], readonly: true } as const;
const contract = compileContract({ texts: read, few: read, unsendable: read });

/** Far more than it takes on any machine. */
const PATIENT = { timeout: 50_000 };

const send =
  (...messages: string[]) =>
  (port: MessagePort): void =>
    port.postMessage(`[${messages.join()}]`);

test.each([
  ['is left', 'texts', send('["unsubscribe",1]')],
  ['is read in part, and left', 'texts', send('["ack",1,5]', '["unsubscribe",1]')],
  [
    'gives way to another',
    'texts',
    send('["subscribe",1,null,"few"]', '["ack",1,1]', '["unsubscribe",1]'),
  ],
  ['ends with an item that cannot be sent', 'unsendable', send('["unsubscribe",1]')],
  ['loses its connection', 'texts', (_: MessagePort, served: ServedPort) => served.close()],
])('a stream that %s', async (_, method, end) => {
  const { port1: port, port2 } = new MessageChannel();
  const producer = new Producer();
  const served = servePort(port2, producer, contract);
  onTestFinished(() => served.close());
  const held = (): number => streamsOf(producer).held;
  port.postMessage(`[["subscribe",1,null,"${method}"]]`);
  await expect.poll(held, PATIENT).toBeGreaterThan(1_000);
  end(port, served);
  await expect.poll(held, PATIENT).toBe(0);
});
