/** The entry point for callers without the client: plain HTTP, in the Worker. */
export type { ServedOpenApi } from './http/document.ts';
export {
  openApi,
  type OpenApiDocument,
  type OpenApiOptions,
  type OpenApiSettings,
} from './http/openapi.ts';
export { type HttpOptions, type McpDoor, routeHttpRequest } from './http/route.ts';
export type { ClassWithContract } from './server/contract/description.ts';
export type { CompiledContract } from './server/contract/types.ts';
export type { Cors, CorsOptions } from './server/routing/cors.ts';
export type { FetchTarget, Hook, Route, RouteOptions } from './server/routing/router.ts';
export type { HasContract } from './wire/brands.ts';
