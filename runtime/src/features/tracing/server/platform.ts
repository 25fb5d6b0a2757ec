/** Spans of the platform's own tracing, `tracing` of `cloudflare:workers`. */
import { attributesOf, messageOf, type SpanAttributes, type Tracer } from '../wire/tracer.ts';

/** The part of the platform's API that is used. */
interface PlatformTracing {
  startActiveSpan<Result>(name: string, run: (span: PlatformSpan) => Result): Result;
}

interface PlatformSpan {
  readonly isTraced: boolean;
  setAttributes(attributes: SpanAttributes): unknown;
  recordException(exception: Error | string): void;
  setStatus(status: { code: 'error'; message: string }): unknown;
  end(): void;
}

/** In a variable, so that no bundler looks for the module, and other runtimes can load this file. */
const WORKERS = 'cloudflare:workers';

let platform: PlatformTracing | undefined;

// Ready long before the first call: it takes no more than a few microtasks.
void import(/* @vite-ignore */ WORKERS).then(
  ({ tracing }: { tracing?: PlatformTracing }) => {
    platform = tracing;
  },
  () => {},
);

/** Makes spans of the platform. It takes no parent of another program, so the parent is an attribute. */
export const platformTracer: Tracer = (call, run) => {
  if (!platform) return run(undefined);
  return platform.startActiveSpan(call.name, (span) => {
    const { attributes, parent } = call;
    if (span.isTraced) span.setAttributes(parent ? { ...attributes, ...parent } : attributes);
    return run({
      end(ended) {
        if (span.isTraced) {
          span.setAttributes(attributesOf(ended));
          if ('error' in ended) {
            const { error } = ended;
            const message = messageOf(error);
            span.recordException(error instanceof Error ? error : message);
            span.setStatus({ code: 'error', message });
          }
        }
        span.end();
      },
    });
  });
};
