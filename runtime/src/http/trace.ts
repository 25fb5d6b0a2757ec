/** The trace of a request, as W3C Trace Context writes it in headers. */
import type { ContractDescription } from '../server/contract/description.ts';

/**
 * Returns the trace that a request belongs to, as a message of the feature tracing, and a comma. The feature checks the
 * headers. Returns an empty text for a request without a trace, or for an object without the feature.
 *
 * @param id - the id of the call, or the negative number of the subscription
 */
export function traceOf(id: number, headers: Headers, { messages }: ContractDescription): string {
  const traceparent = messages.has('trace') && headers.get('traceparent');
  if (!traceparent) return '';
  return `${JSON.stringify(['trace', [id, traceparent, headers.get('tracestate')]])},`;
}
