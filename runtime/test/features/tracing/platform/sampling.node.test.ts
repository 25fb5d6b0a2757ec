/** Spans of invocations of which the platform traces only some, which no setting of workerd causes. */
import { beforeEach, expect, test, vi } from 'vitest';
import { DescribedCall } from '../../../../src/features/tracing/wire/tracer.ts';

/** The platform, which counts the spans that it starts. */
const platform = vi.hoisted(() => ({
  isTraced: false,
  started: 0,
  startActiveSpan<Result>(_: string, run: (span: object) => Result): Result {
    platform.started++;
    const { isTraced } = platform;
    return run({ isTraced, setAttributes() {}, setStatus() {}, end() {} });
  },
}));

vi.mock('cloudflare:workers', () => ({ tracing: platform }));

// Files share their modules. An earlier file can have loaded the tracer without the platform, so it is loaded again.
vi.resetModules();
const { platformTracer } = await import('../../../../src/features/tracing/server/platform.ts');

const call = new DescribedCall('server', 'Counter', 'increment', ['call', 'main', 1]);

/** Makes two calls in one turn, as the calls of a frame are. @returns whether they have spans */
function frame(): boolean[] {
  return [1, 2].map(() => platformTracer(call, (span) => span !== undefined));
}

beforeEach(async () => {
  platform.started = 0;
  // The import of the platform takes some microtasks.
  await vi.waitUntil(() => frame() && platform.started > 0);
  platform.started = 0;
  await Promise.resolve();
});

test('the first call of an untraced frame asks the platform, and the others do not', async () => {
  platform.isTraced = false;
  expect(frame()).toEqual([false, false]);
  expect(platform.started).toBe(1);
});

test('the frame of a traced invocation has spans after an untraced frame', async () => {
  platform.isTraced = false;
  frame();
  await Promise.resolve();
  platform.isTraced = true;
  expect(frame()).toEqual([true, true]);
});
