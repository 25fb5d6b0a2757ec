/** Sets up an OpenTelemetry SDK as an application does, for the process of a test and for a Worker. */
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { SimpleSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';

/** @param exporter - sends each span after it has ended */
export function startTelemetry(exporter: SpanExporter): void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
}
