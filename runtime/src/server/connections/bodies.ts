/** Makes the bodies of large responses. The client's account holds the bytes that the client has not read yet. */
import { rejection } from '../base/rejection.ts';
import { memoryOf, OUT_OF_MEMORY } from '../base/memory.ts';
import { PATIENCE } from '../base/read-body.ts';
import type { Target } from '../contract/types.ts';
import type { ClientIdentity } from '../base/client-key.ts';

/** The size of the parts in which a large response leaves, in bytes. A smaller response leaves whole. */
const PART = 65_536;

/** Returns a response whose body is held by the client's account until the client has read it. */
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

/** Returns whether a response is so large that it has to be held. */
export function isLarge(size: number): boolean {
  return size > PART;
}
