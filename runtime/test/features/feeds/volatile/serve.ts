/** Serves the Worker with rooms, and follows their reactions. */
import { onTestFinished } from 'vitest';
import { type RpcClient, type RpcClientOptions, subscribe } from '../../../../src/client.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Room } from './worker.ts';

export async function serve() {
  const worker = await TestWorker.forTests<Room, 'ROOM'>(
    import.meta.dirname,
    { ROOM: 'Room' },
    { fence: 'lives' },
  );
  const enter = (instance: string, options?: RpcClientOptions): RpcClient<Room> => {
    const client = worker.connect(instance, options);
    onTestFinished(() => client.close());
    return client;
  };
  return { worker, enter };
}

/** Records the events of a feed and `gap`, in the order in which a client gets them. */
export async function follow(
  client: RpcClient<Room>,
  method: 'reactions' | 'summed' = 'reactions',
): Promise<unknown[]> {
  const heard: unknown[] = [];
  const feed = subscribe(client, { onGap: () => heard.push('gap') })[method]();
  void (async () => {
    for await (const event of feed) heard.push(event);
  })().catch((error: { code?: string }) => error.code !== 'CLOSED' && heard.push(error));
  // The subscription was sent before this call.
  await client.lives();
  return heard;
}

export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
