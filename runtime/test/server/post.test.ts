/** Tests how much of a POST's body an object reads. */
import { runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { FRAME_SIZE } from '../../src/wire/limits.ts';
import type { Hibernating, TestEnv } from '../worker.ts';

const env = bindings as TestEnv;
const CHUNK = 1024 * 1024;

test.each([
  ['without a length', {}],
  ['whose length is too large', { 'Content-Length': `${20 * FRAME_SIZE}` }],
])('an object reads of a body %s no more than a frame may have', async (_, length) => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += CHUNK;
      if (sent > 20 * FRAME_SIZE) controller.close();
      else controller.enqueue(new Uint8Array(CHUNK).fill(32));
    },
  });
  await runInDurableObject(env.HIBERNATING.getByName('endless'), async (instance: Hibernating) => {
    const headers = { 'Content-Type': 'application/json', ...length };
    const request = new Request('https://example.com/call', { method: 'POST', headers, body });
    const answer = await (instance as { fetch?(request: Request): Promise<Response> }).fetch?.(
      request,
    );
    expect(await answer?.text()).toContain('"LIMIT_EXCEEDED"');
  });
  expect(sent).toBeLessThan(4 * FRAME_SIZE);
});
