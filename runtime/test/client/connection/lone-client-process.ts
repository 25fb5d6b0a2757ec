/**
 * A program with one client, by which tests check that a process ends by itself. Its arguments are the situation and
 * the URL of the server. It prints the outcomes of its calls.
 */
import { createRpcClient, type RpcClientOptions, RpcError } from '../../../src/client.ts';
import type { Default } from '../../served/worker.ts';

const [, , situation = '', baseUrl = ''] = process.argv;

const reached = Promise.withResolvers<void>();
const wanted: Record<string, string> = {
  connecting: 'connecting',
  open: 'open',
  reconnecting: 'reconnecting',
};

const options: RpcClientOptions = {
  baseUrl,
  transport: situation.startsWith('http') ? 'http' : 'websocket',
  reconnect: { minDelay: 1_000_000, maxDelay: 1_000_000_000 },
  onStateChange: (state) => {
    if (state === wanted[situation]) reached.resolve();
    if (situation === 'asleep') console.log(state);
  },
  ...(situation === 'asleep' && { heartbeat: 200, reconnect: {} }),
};
const client = createRpcClient<Default>('DEFAULT', `alone ${situation}`, options);

const report = (call: Promise<unknown>): Promise<void> =>
  call.then(
    (result) => console.log(`answered ${result}`),
    (error: unknown) => console.log(error instanceof RpcError ? error.code : error),
  );

if (situation === 'asleep') {
  await report(client.wait('never'));
} else if (situation === 'http unclosed') {
  await report(client.add());
} else if (situation === 'http') {
  void report(client.wait('never'));
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  client.close();
} else {
  using disposed = client;
  if (situation !== 'idle') {
    void report(disposed.wait('never'));
    await reached.promise;
  }
}
