/** Compares calls that are reported or traced with calls that are not, and with spans that are written by hand. */
import { join } from 'node:path';
import {
  createRpcClient,
  openTelemetry,
  reportCalls,
  type RpcClientOptions,
  traceCalls,
} from '../../runtime/src/client.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { PartOptions } from '../part.ts';
import type { Row } from '../results/rows.ts';
import { compareVariants } from '../series.ts';
import { serve } from '../serve.ts';
import type { Counter } from './workers/observed.ts';
import { ABOUT, sampled, unsampled } from './workers/telemetry.ts';

const WORKER = join(import.meta.dirname, 'workers/observed.ts');

const WORKLOADS = [
  '100 increments',
  '100 reads',
  '100 increments in flight',
  '100 reads in flight',
];

const CLASSES = {
  PLAIN: 'Plain',
  REPORTED: 'Reported',
  TRACED: 'Traced',
  TRACED_BY_HAND: 'TracedByHand',
  SAMPLED: 'Sampled',
  SAMPLED_BY_HAND: 'SampledByHand',
  UNSAMPLED: 'Unsampled',
  UNSAMPLED_BY_HAND: 'UnsampledByHand',
};

/** @throws Error if an answer is wrong */
export async function measureObserved({ isQuick, note }: PartOptions): Promise<Row[]> {
  const traced = { tracing: traceCalls(openTelemetry(sampled)) };
  const spared = { tracing: traceCalls(openTelemetry(unsampled)) };
  const reported = { onCall: reportCalls(() => () => {}) };
  await using runtime = await serve(WORKER, CLASSES, { compatibilityFlags: ['nodejs_compat'] });
  const variant = (
    name: string,
    binding: keyof typeof CLASSES,
    options?: RpcClientOptions,
    /** Makes a span of each call by hand. */
    byHand?: typeof sampled,
  ): Contender => ({
    name,
    about: '',
    async connect(_url, instance) {
      const counter = createRpcClient<Counter>(binding, instance, {
        baseUrl: runtime.url,
        ...options,
      });
      const methods = counter as unknown as Record<
        string,
        (...args: readonly unknown[]) => Promise<unknown>
      >;
      const make = async (method: string, args: readonly unknown[]) => methods[method]?.(...args);
      const call = async (method: string, args: readonly unknown[]): Promise<unknown> => {
        const span = byHand?.trace
          .getTracer('by hand')
          .startSpan(method, { kind: 2, attributes: ABOUT });
        const result = await make(method, args);
        span?.setAttributes({ 'rpc.response.status_code': 'OK' });
        span?.end();
        return result;
      };
      return {
        call: byHand ? call : make,
        close: () => counter.close(),
      };
    },
  });
  note('workloads');
  return await compareVariants(
    [
      variant('neither', 'PLAIN'),
      variant('neither, again', 'PLAIN'),
      variant('onCall of the object', 'REPORTED'),
      variant('onCall of the client', 'PLAIN', reported),
      variant('onCall of both', 'REPORTED', reported),
      variant('platform', 'TRACED'),
      variant('platform, by hand', 'TRACED_BY_HAND'),
      variant('SDK in the object, unsampled', 'UNSAMPLED'),
      variant('SDK in the object, unsampled, by hand', 'UNSAMPLED_BY_HAND'),
      variant('SDK in the object', 'SAMPLED'),
      variant('SDK in the object, by hand', 'SAMPLED_BY_HAND'),
      variant('SDK in the client, unsampled', 'PLAIN', spared),
      variant('SDK in the client, unsampled, by hand', 'PLAIN', {}, unsampled),
      variant('SDK in the client', 'PLAIN', traced),
      variant('SDK in the client, by hand', 'PLAIN', {}, sampled),
      variant('SDK in the client, unsampled, platform', 'TRACED', spared),
      variant('SDK in both, unsampled', 'UNSAMPLED', spared),
      variant('SDK in both', 'SAMPLED', traced),
    ],
    WORKLOADS,
    120_000,
    isQuick,
  );
}
