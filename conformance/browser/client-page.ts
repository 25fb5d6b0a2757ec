/** The client in a page. Bundle it, load it into any page, and call `failureOf`. */
import { createRpcClient, RpcError, type RpcClientOptions } from '../../template/src/rpc/client.ts';
import type { Counter } from '../../template/src/counter.ts';

/** @returns what a call rejects with */
async function failureOf(options: RpcClientOptions): Promise<Partial<RpcError>> {
  using counter = createRpcClient<Counter>('COUNTER', 'page', options);
  try {
    throw new Error(`It was answered: ${await counter.getValue()}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message } = error;
    return { code, message };
  }
}

Object.assign(globalThis, { failureOf });
