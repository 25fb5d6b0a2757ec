import { HasContract } from "./wire.js";
import { Cors, CorsOptions, FetchTarget, Hook, Route, RouteOptions } from "./server-core.js";
/** A class that `lumenizeRpcDO` has returned. */
type ClassWithContract = abstract new (...args: never[]) => HasContract<unknown>;
/** The options of `routeHttpRequest`: those of `routeDORequest`, and the classes. */
interface HttpOptions extends RouteOptions {
  /** By the name of its binding in `env`, each class that callers can reach. */
  classes: Readonly<Record<string, ClassWithContract>>;
}
/**
 * Answers plain HTTP: `POST {prefix}/{binding}/{instance}/{method}` calls a method, and so does `GET` for a method that
 * changes nothing. Arguments and results are JSON, and errors are problem documents.
 *
 * @param request - the request that the Worker received
 * @param env - the Worker's bindings
 * @param options - those of `routeDORequest`, and `classes`
 * @returns the answer; `undefined` for a path that is not under the prefix, names none of `classes`, or ends in `/call`,
 *   which `routeDORequest` answers. It never throws because of what a client sent.
 * @example
 * return (
 *   (await routeHttpRequest(request, env, { classes: { COUNTER: Counter } })) ??
 *   (await routeDORequest(request, env)) ??
 *   new Response('Not found', { status: 404 })
 * );
 */
export declare function routeHttpRequest(request: Request, env: object, options: HttpOptions): Promise<Response | undefined>;
export type { Cors, CorsOptions, FetchTarget, HasContract, Hook, HttpOptions, Route, RouteOptions };