/**
 * Calls that were made before a deployment and are sent again after it have run at most once, and
 * the answers say so.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Runtime } from '../../../../../harness/runtime.ts';
import type { WorkerOptions } from '../../../../../harness/runtime/worker-bundle.ts';
import { until } from '../../../../../harness/waiting.mjs';
import { decodeAnswer } from '../../../../src/wire/messages.ts';

const from = (file: string): WorkerOptions => ({
  config: {
    main: join(import.meta.dirname, file),
    bindings: { COUNTED: 'Counted', UNJOURNALED: 'Unjournaled' },
  },
});

const server = await Runtime.serve(from('worker.ts'));
afterAll(() => server.stop());

async function post(client: string, frame: string, binding = 'COUNTED'): Promise<unknown[][]> {
  const response = await fetch(`${server.url}/__rpc/${binding}/x/call`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'lumenize-rpc-client': client },
    body: frame,
  });
  return (await response.json()) as unknown[][];
}

/** Returns the error or the result of each answer. */
const outcomes = (messages: unknown[][]): unknown[] =>
  messages.map((message) => {
    const answer = decodeAnswer(message as [number]);
    return 'thrown' in answer ? answer.thrown : answer.result;
  });

test('a deployment that removes methods', async () => {
  expect(await post('one', '[[1,"removed"],[2,"change"]]')).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const endless = post('two', '[[1,"endless"]]').catch(() => {});
  await until(async () => (await post('other', '[[1,"count"]]'))[0]?.[1] === 3);
  await server.deploy(from('next-worker.ts'));
  await endless;
  // These are the stored answers, also of a method that is now `read`. Calls that never arrived
  // have not run.
  const again = await post('one', '[["resent",3,100],[1,"removed"],[2,"change"],[3,"removed"]]');
  expect(again.slice(0, 2)).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const [, , missing] = outcomes(again);
  expect(missing).toMatchObject({ code: 'METHOD_NOT_FOUND' });
  expect((missing as { maybeExecuted?: boolean }).maybeExecuted).not.toBe(true);
  // A call that was running has no answer, but may have run.
  expect(outcomes(await post('two', '[["resent",1,100],[1,"endless"]]'))).toEqual([
    expect.objectContaining({ code: 'METHOD_NOT_FOUND', maybeExecuted: true }),
  ]);
  // A call that is older than the journal may have run, too.
  expect(outcomes(await post('three', '[["resent",1,3000000],[1,"removed"]]'))).toEqual([
    expect.objectContaining({ code: 'METHOD_NOT_FOUND', maybeExecuted: true }),
  ]);
  // A call of an object without a journal may also have run.
  const frame = '[["resent",1,100],[1,"removed"],[2,"removed"]]';
  const [resent, first] = outcomes(await post('one', frame, 'UNJOURNALED'));
  expect(resent).toMatchObject({ code: 'METHOD_NOT_FOUND', maybeExecuted: true });
  expect(first).not.toHaveProperty('maybeExecuted');
  expect(await post('other', '[[2,"count"]]')).toEqual([[2, 3]]);
});
