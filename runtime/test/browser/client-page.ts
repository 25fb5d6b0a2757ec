/** The client in a page. Bundle it, load it into any page, and call one of its functions. */
import { createRpcClient, RpcError, type RpcClientOptions, withOptions } from '../../src/client.ts';
import type { Counter } from '../../../template/src/counter.ts';

type Failure = Partial<RpcError>;

/** @returns the error of a call */
async function failureOf(options: RpcClientOptions): Promise<Failure> {
  using counter = createRpcClient<Counter>('COUNTER', 'page', options);
  return await failureIn(counter.getValue());
}

/** @returns the error of a call that times out after an attempt to connect has failed */
async function failureInVain(options: RpcClientOptions): Promise<Failure> {
  const failed = Promise.withResolvers<void>();
  using counter = createRpcClient<Counter>('COUNTER', 'page', {
    ...options,
    onStateChange: (state) => state === 'reconnecting' && failed.resolve(),
  });
  counter.getValue().catch(() => {});
  await failed.promise;
  return await failureIn(withOptions(counter, { timeout: 1 }).getValue());
}

async function failureIn(call: PromiseLike<number>): Promise<Failure> {
  try {
    throw new Error(`It was answered: ${await call}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message } = error;
    return { code, message };
  }
}

Object.assign(globalThis, { failureOf, failureInVain });
