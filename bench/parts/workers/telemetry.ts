/**
 * OpenTelemetry SDKs without an exporter, which show the cost of the spans themselves: one SDK samples them, and one
 * does not.
 */
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler, AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';

api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

function apiWith(sampler: AlwaysOnSampler | AlwaysOffSampler) {
  const provider = new TracerProvider({ sampler });
  const { setSpanContext } = api.trace;
  return {
    context: api.context,
    createTraceState: api.createTraceState,
    trace: { getTracer: (name: string) => provider.getTracer(name), setSpanContext },
  };
}

export const sampled = /* @__PURE__ */ apiWith(new AlwaysOnSampler());
export const unsampled = /* @__PURE__ */ apiWith(new AlwaysOffSampler());

/** The attributes of a span that is written by hand: as many as those of a span of the package. */
export const ABOUT = {
  'rpc.system.name': 'by hand',
  'rpc.method': 'Counter.method',
  'lumenize_rpc.object': 'name',
  'lumenize_rpc.kind': 'call',
  'lumenize_rpc.id': 1,
  'lumenize_rpc.client': '31415926',
};
