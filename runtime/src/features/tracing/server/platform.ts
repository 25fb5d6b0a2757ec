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

/** Whether the platform does not trace the invocation that runs. Code of another one runs after the microtasks of it. */
let isUntraced = false;

const settled = Promise.resolve();

function forget(): void {
  isUntraced = false;
}

/** Makes spans of the platform. It takes no parent of another program, so the parent is an attribute. */
export const platformTracer: Tracer = (call, run) => {
  // To start a span takes long even where nobody traces, so one call of a frame finds out.
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
        span.setAttributes(attributesOf(ended));
        if ('error' in ended) {
          const { error } = ended;
          const message = messageOf(error);
          span.recordException(error instanceof Error ? error : message);
          span.setStatus({ code: 'error', message });
        }
        span.end();
      },
    });
  });
};
