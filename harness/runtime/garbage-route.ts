/** The route of a Worker by which `Runtime.heap` has its garbage collected. */

export const GARBAGE_ROUTE = '/collect-garbage';

/** Defined if workerd runs with `--expose-gc`. */
declare const gc: (() => void) | undefined;

/** @returns the response of the Worker to this route; undefined for any other route */
export function collectGarbage(request: Request): Response | undefined {
  if (new URL(request.url).pathname !== GARBAGE_ROUTE) return undefined;
  if (typeof gc !== 'function')
    return new Response('There is no gc in the Worker', { status: 500 });
  gc();
  return new Response('collected');
}
