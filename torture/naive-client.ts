/**
 * A client as one writes it on a first day: when the connection is lost it makes a new one and calls
 * again. The harness has to find it out. Imports the template's client.
 */
import type { Counter } from '../template/src/counter.ts';
import { createRpcClient, RpcError, type RpcClientOptions } from '../template/src/rpc/client.ts';

const REST = 50;

export function naiveClient(
  instance: string,
  options: RpcClientOptions,
): { increment(): Promise<number>; close(): void } {
  const connect = (): ReturnType<typeof createRpcClient<Counter>> =>
    createRpcClient<Counter>('COUNTER', instance, { ...options, reconnect: false });
  let client = connect();
  return {
    async increment() {
      for (;;) {
        const mine = client;
        try {
          return await mine.increment();
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          await new Promise((resolve) => {
            setTimeout(resolve, REST);
          });
          // The first to notice makes the new one.
          if (client === mine) client = connect();
        }
      }
    },
    close: () => client.close(),
  };
}
