/** The public API of the door for other callers: plain HTTP, in the Worker. */
export { type HttpOptions, routeHttpRequest } from './http/route.ts';
export type { Cors, CorsOptions } from './server/routing/cors.ts';
export type { FetchTarget, Hook, Route, RouteOptions } from './server/routing/router.ts';
export type { HasContract } from './wire/brands.ts';
