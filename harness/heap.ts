/**
 * What the code of a worker holds, as V8 counts it: the resident memory of workerd says little,
 * because its allocator keeps what was freed. Imports runtime and waiting.
 */
import { once } from 'node:events';
import type { Runtime } from './runtime.ts';
import { sleep } from './waiting.mjs';

/** Collections, since what one sets free may hold something else; and the time between them. */
const COLLECTIONS = 3;
const PAUSE = 200;

/**
 * Collects garbage and counts what is left.
 *
 * @param server - one that is `inspected`
 * @returns bytes of the JavaScript heap that are in use, and of the buffers outside
 */
export async function heapOf(server: Runtime): Promise<number> {
  for (let left = COLLECTIONS; left > 0; left--) {
    const answer = await fetch(`${server.url}/collect-garbage`);
    if ((await answer.text()) !== 'function') throw new Error('There is no gc in the worker');
    await sleep(PAUSE);
  }
  const inspector = new WebSocket(`ws://127.0.0.1:${server.inspectorPort}/worker`);
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }));
  const [{ data }] = (await once(inspector, 'message')) as [MessageEvent];
  inspector.close();
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = JSON.parse(String(data)).result;
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}
