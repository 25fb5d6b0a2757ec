/**
 * The Worker of a part: calls go to their objects, and requests for `/{BINDING}/{name}` to the `fetch` of a class that
 * is written by hand.
 */
export { contenderWorker as default } from '../runtime/src/perf/contenders/routes.ts';
