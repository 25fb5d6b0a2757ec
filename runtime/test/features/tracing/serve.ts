/** Serves the traced objects, with a collector of the spans of the objects and of this process. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { afterAll } from 'vitest';
import { TestWorker } from '../../support/test-worker.ts';
import { Collector } from './collector.ts';
import { startTelemetry } from './telemetry.ts';
import type { Room } from './worker.ts';

const BINDINGS = { ROOM: 'Room', STORE: 'Store' } as const;

interface Traced {
  readonly collector: Collector;
  readonly worker: TestWorker<Room, keyof typeof BINDINGS>;
}

export async function serve(): Promise<Traced> {
  const collector = new Collector();
  const port = await collector.listen();
  afterAll(() => collector.close());
  startTelemetry(new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` }));
  const worker = await TestWorker.forTests<Room, keyof typeof BINDINGS>(
    import.meta.dirname,
    BINDINGS,
    { peers: { COLLECTOR: port }, compatibilityFlags: ['nodejs_compat'] },
  );
  return { collector, worker };
}
