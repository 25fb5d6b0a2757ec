/** A client releases memory when a call has ended, even if the caller keeps the promise. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as Type from '../../src/typebox.ts';
import { expect, onTestFinished, test } from 'vitest';
import { messagePortTransport } from '../../src/client/transports/message-port.ts';
import { createRpcClient, type RpcClient } from '../../src/client.ts';
import { compileContract, servePort } from '../../src/server.ts';
import { until } from '../../../harness/waiting.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

class Values {
  give(): { text: string } {
    return { text: 'given' };
  }

  take(value: { text: string } | string): number {
    return JSON.stringify(value).length;
  }
}

function connect(): RpcClient<Values> {
  const { port1, port2 } = new MessageChannel();
  const contract = compileContract({ give: [], take: [Type.Unknown()] });
  const served = servePort(port2, new Values(), contract);
  const transport = messagePortTransport(port1);
  const client = createRpcClient<Values>('VALUES', 'x', { transport });
  onTestFinished(() => {
    client.close();
    served.close();
  });
  return client;
}

/** Collects garbage after this turn of the event loop. */
async function collect(): Promise<void> {
  await new Promise(setImmediate);
  collectGarbage();
}

test('the results of other calls that a call took are released', async () => {
  const client = connect();
  const use = async (): Promise<[WeakRef<object>, PromiseLike<number>[]]> => {
    const given = client.give();
    const taken = client.take(given);
    await taken;
    return [new WeakRef(await given), [taken]];
  };
  const [given, taken] = await use();
  // V8 compiles code that runs often in another thread, and keeps the values that the code has used until that ends.
  await until(async () => {
    await collect();
    return given.deref() === undefined;
  });
  expect(await taken[0]).toBe('{"text":"given"}'.length);
});

test('the arguments of a call are released', async () => {
  const client = connect();
  const length = 100_000;
  await client.take('');
  await collect();
  const before = process.memoryUsage().heapUsed;
  const calls = Array.from({ length: 300 }, (_, index) => client.take(`${index}`.padEnd(length)));
  await Promise.all(calls);
  await collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan((calls.length * length) / 2);
  expect(await calls[0]).toBe(length + 2);
});
