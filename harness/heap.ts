/**
 * Measures the memory that the code of a Worker uses, as V8 counts it. The resident memory of workerd shows less,
 * because its allocator keeps memory that was freed.
 */
import { once } from 'node:events';
import type { Runtime } from './runtime.ts';
import { sleep } from './waiting.mjs';

/** Garbage collections, because one can set objects free for the next; and milliseconds between them. */
const COLLECTIONS = 3;
const PAUSE = 200;

/**
 * Collects garbage and measures the memory that is still in use.
 *
 * @param server - a runtime with the option `inspected`
 * @returns used bytes of the JavaScript heap, plus those of the buffers outside the heap
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
