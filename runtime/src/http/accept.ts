/** Finds out which types a request accepts, by its header `Accept`. */

/** The range of all types. */
export const ANY_TYPE = '*/*';

/** The ranges that include JSON, the most specific first. */
export const JSON_RANGES = [
  'application/json',
  'application/problem+json',
  'application/*',
  ANY_TYPE,
] as const;

/** The ranges that ask for events. A request that takes anything wants an answer that ends. */
export const EVENT_RANGES = ['text/event-stream', 'text/*'] as const;

/**
 * Returns how much a request wants a type: from 0, not at all, up to 1.
 *
 * @param accept - the header
 * @param ranges - the ranges that include the type, the most specific first. The first range that the header has
 *   counts.
 */
export function weightOf(accept: string, ranges: readonly string[]): number {
  // Most programs send this header.
  if (accept === ANY_TYPE) return ranges.at(-1) === ANY_TYPE ? 1 : 0;
  const weights = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
      return [type, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return weights.get(ranges.find((range) => weights.has(range)) ?? '') || 0;
}
