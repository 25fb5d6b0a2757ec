/** Reads the body of a request. The bytes that have arrived are counted in an account. */
import { type ClientMemory, OUT_OF_MEMORY } from './memory.ts';
import { rejection } from './rejection.ts';

/** The time in which at least `PROGRESS` further bytes of a body must arrive, in milliseconds. */
export const PATIENCE = 60_000;
const PROGRESS = 65_536;

/** The exchange, such as a POST, for which a body is read. */
export interface BodyReader {
  readonly memory: Pick<ClientMemory, 'admit' | 'release'>;
  /** Stops the reading. It is set while a body is read. */
  end?(): void;
}

/**
 * Reads a body.
 *
 * @param check - called with the size so far; throws for a body that is too large
 * @throws RpcError `LIMIT_EXCEEDED`, or `TIMEOUT` if no further bytes of the body arrive
 */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  reading: BodyReader,
  check: (size: number) => void,
): Promise<ArrayBuffer> {
  const { memory } = reading;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let progress = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let problem: Error | undefined;
  const stop = (reason: Error): void => {
    problem ??= reason;
    void reader.cancel(reason).catch(() => {});
  };
  const watch = (): void => {
    clearTimeout(timer as never);
    timer = setTimeout(() => {
      stop(rejection('TIMEOUT', `No more of the body arrived within ${PATIENCE} ms`));
    }, PATIENCE);
  };
  reading.end = () => stop(rejection('UNAVAILABLE', OUT_OF_MEMORY));
  watch();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (problem) throw problem;
      if (done) return await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer();
      check(size + value.length);
      memory.admit(value.length);
      size += value.length;
      chunks.push(value);
      progress += value.length;
      if (progress < PROGRESS) continue;
      progress = 0;
      watch();
    }
  } catch (error) {
    stop(error as Error);
    throw error;
  } finally {
    delete reading.end;
    clearTimeout(timer as never);
    memory.release(size);
  }
}
