/**
 * A naive client: when the connection is lost, it opens a new one and repeats the call. The harness has to find
 * the calls that run twice.
 */
import { createRpcClient, RpcError, type RpcClientOptions } from '../../runtime/src/client.ts';
import type { Incrementer, LedgerClient } from './calls.ts';
import type { Ledger } from '../objects/worker.ts';

const REST = 50;

export function naiveClient(instance: string, options: RpcClientOptions): Incrementer {
  const connect = (): LedgerClient =>
    createRpcClient<Ledger>('LEDGER', instance, { ...options, reconnect: false });
  let client = connect();
  return {
    async increment(token) {
      for (;;) {
        const mine = client;
        try {
          return await mine.increment(token);
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          await new Promise((resolve) => {
            setTimeout(resolve, REST);
          });
          // The first call that fails creates the new client.
          if (client === mine) client = connect();
        }
      }
    },
    close: () => client.close(),
  };
}
