/** Spans of the platform's own tracing, `tracing` of `cloudflare:workers`. */
import { recordEnd, type SpanAttributes, type Tracer } from '../wire/tracer.ts';

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

/** The name is in a variable, so that no bundler looks for the module, and other runtimes can load this file. */
const WORKERS = 'cloudflare:workers';

let platform: PlatformTracing | undefined;

// The import takes at most a few microtasks, so it ends long before the first call.
void import(/* @vite-ignore */ WORKERS).then(
  ({ tracing }: { tracing?: PlatformTracing }) => {
    platform = tracing;
  },
  () => {},
);

/**
 * True if the platform does not trace the running invocation. It is reset in a microtask, before the code of another
 * invocation runs.
 */
let isUntraced = false;

const settled = Promise.resolve();

function forget(): void {
  isUntraced = false;
}

/** Makes spans of the platform. The platform takes no parent of another program, so the parent is an attribute. */
export const platformTracer: Tracer = (call, run) => {
  // Starting a span takes long even if nobody traces. So the first call of a frame finds out whether the platform
  // traces the invocation.
  if (!platform || isUntraced) return run(undefined);
  return platform.startActiveSpan(call.name, (span) => {
    if (!span.isTraced) {
      span.end();
      isUntraced = true;
      void settled.then(forget);
      return run(undefined);
    }
    const { attributes, parent } = call;
    span.setAttributes(parent ? { ...attributes, ...parent } : attributes);
    return run({
      end(ended) {
        recordEnd(span, ended, 'error' as const);
        span.end();
      },
    });
  });
};
