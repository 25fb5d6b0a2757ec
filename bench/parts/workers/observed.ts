/** Counters whose calls are reported or traced in different ways: by the package, and by hand. */
import { tracing as platform } from 'cloudflare:workers';
import {
  lumenizeRpcDO,
  openTelemetry,
  read,
  reportCalls,
  type RpcObject,
  traceCalls,
  tracing,
} from '../../../runtime/src/server.ts';
import * as Type from '../../../runtime/src/typebox.ts';
import { StoredCounter } from '../cold/stored-counter.ts';
import { ABOUT, sampled, unsampled } from './telemetry.ts';

class CounterImpl extends StoredCounter {}

const contract = {
  increment: [Type.Optional(Type.Integer())],
  getValue: read(),
} as const;

export const Plain = lumenizeRpcDO(CounterImpl, contract);
export type Counter = RpcObject<typeof Plain>;

export const Reported = lumenizeRpcDO(CounterImpl, contract, {
  onCall: reportCalls(() => () => {}),
});

export const Traced = lumenizeRpcDO(CounterImpl, contract, { use: [tracing] });

export const Sampled = lumenizeRpcDO(CounterImpl, contract, {
  use: [traceCalls(openTelemetry(sampled))],
});

export const Unsampled = lumenizeRpcDO(CounterImpl, contract, {
  use: [traceCalls(openTelemetry(unsampled))],
});

/** Returns a class whose methods run inside of a function that makes a span. */
function tracedBy(inSpan: <Result>(run: () => Result) => Result): typeof CounterImpl {
  return class extends CounterImpl {
    override increment(by?: number): number {
      return inSpan(() => super.increment(by));
    }

    override getValue(): number {
      return inSpan(() => super.getValue());
    }
  };
}

const PlatformTraced = tracedBy((run) =>
  platform.startActiveSpan('Counter.method', (span) => {
    if (span.isTraced) span.setAttributes(ABOUT);
    try {
      return run();
    } finally {
      span.end();
    }
  }),
);

function sdkTraced({ trace }: typeof sampled): typeof CounterImpl {
  return tracedBy((run) => {
    const options = { kind: 1, attributes: ABOUT };
    return trace.getTracer('by hand').startActiveSpan('Counter.method', options, (span) => {
      try {
        return run();
      } finally {
        span.setAttributes({ 'rpc.response.status_code': 'OK' });
        span.end();
      }
    });
  });
}

export const TracedByHand = lumenizeRpcDO(PlatformTraced, contract);
export const SampledByHand = lumenizeRpcDO(sdkTraced(sampled), contract);
export const UnsampledByHand = lumenizeRpcDO(sdkTraced(unsampled), contract);

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
