/** Both ends of a port ignore messages that are neither frames nor the end of the connection. */
import { expect, test } from 'vitest';
import { createRpcClient, messagePortTransport } from '../../../src/client.ts';
import { compileContract, read, servePort } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';
import { replacedIn } from './replaced.ts';

class Own {
  one(): number {
    return 1;
  }
}

const contract = compileContract({ one: read() });

/** Messages that are neither a frame nor a close code with its reason. */
const OTHERS = replacedIn([1_000, 'reason'])
  .map((text) => JSON.parse(text) as unknown[])
  .filter(([code, reason]) => typeof code !== 'number' || typeof reason !== 'string');

test('an object ignores them', async () => {
  const raw = openPort(new Own(), contract);
  for (const other of [...OTHERS, {}, 5, null]) raw.send(other as never);
  expect(await raw.ask('[1,"one"]')).toBe('[[1,1]]');
});

test('a client ignores them', async () => {
  const { port1, port2 } = new MessageChannel();
  using client = createRpcClient<Own>('OWN', 'own', { transport: messagePortTransport(port1) });
  const served = servePort(port2, new Own(), contract);
  for (const other of [...OTHERS, {}, 5, null]) port2.postMessage(other);
  expect(await client.one()).toBe(1);
  served.close();
});
