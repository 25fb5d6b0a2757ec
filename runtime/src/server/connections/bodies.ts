/** The bodies of POSTs and of their responses. What has arrived or is not read yet is held by the client's account. */
import { rejection } from '../base/rejection.ts';
import { type ClientMemory, memoryOf, OUT_OF_MEMORY } from '../base/memory.ts';
import type { Target } from '../contract/types.ts';
import type { ClientIdentity } from '../base/client-key.ts';

/** How long a body may take to go on by `PROGRESS` bytes, in milliseconds. */
const PATIENCE = 60_000;
const PROGRESS = 65_536;

/** The size of the parts in which a large response leaves, in bytes. A smaller response leaves whole. */
const PART = 65_536;

/** What reads a body. */
export interface BodyReader {
  readonly memory: ClientMemory;
  /** Is set to what stops the reading. */
  end?(): void;
}

/**
 * Reads a body.
 *
 * @param check - called with the size so far; throws for a body that is too large
 * @throws RpcError `LIMIT_EXCEEDED`, or `TIMEOUT` for a body that does not go on
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
      stop(rejection('TIMEOUT', `The body did not go on for ${PATIENCE} ms`));
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

/** A response whose body is held by the client's account until the client has read it. */
export function heldResponse(
  bytes: Uint8Array,
  headers: HeadersInit,
  { instance, contract }: Target,
  { owner, client }: ClientIdentity,
): Response {
  let sent = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const holder = {
    owner,
    client,
    giveWay(): void {
      end();
      controller?.error(rejection('UNAVAILABLE', OUT_OF_MEMORY));
    },
  };
  const memory = memoryOf(instance, contract.limits, holder);
  const end = (): void => {
    clearTimeout(timer as never);
    if (memory.holders.has(holder)) memory.release(bytes.length);
    memory.leave(holder);
  };
  const watch = (): void => {
    clearTimeout(timer as never);
    timer = setTimeout(() => holder.giveWay(), PATIENCE);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
        watch();
      },
      pull(own) {
        own.enqueue(bytes.subarray(sent, (sent += PART)));
        if (sent < bytes.length) return watch();
        own.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  memory.add(bytes.length);
  return new Response(body, { headers });
}

/** Whether a response is so large that it has to be held. */
export function isLarge(size: number): boolean {
  return size > PART;
}
