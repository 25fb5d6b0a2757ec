/** The trace of a request, as W3C Trace Context writes it in headers. */
import type { ContractDescription } from '../server/contract/description.ts';

/**
 * Writes a frame with the trace that a request belongs to, as a message of the feature tracing. The feature checks the
 * headers. The frame has no trace if the request has none, if the object lacks the feature, or if the frame has no room.
 *
 * @param id - the id of the call, or the negative number of the subscription
 * @param messages - the other messages of the frame
 */
export function frameWithTrace(
  id: number,
  messages: string,
  headers: Headers,
  contract: ContractDescription,
): string {
  const frame = `[${messages}]`;
  const traceparent = contract.messages.has('trace') && headers.get('traceparent');
  if (!traceparent) return frame;
  const trace = JSON.stringify(['trace', [id, traceparent, headers.get('tracestate')]]);
  const hasRoom = trace.length + 1 + frame.length <= contract.limits.frameSize;
  return hasRoom ? `[${trace},${messages}]` : frame;
}
