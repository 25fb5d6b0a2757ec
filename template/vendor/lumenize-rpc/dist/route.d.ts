import { ClassWithContract, CompiledContract, ContractDescription, FetchTarget, RouteOptions } from "./server-core.js";
import { IdentifiedCaller } from "./wire.js";
/** What the application says in its document, besides its contracts. */
export interface OpenApiSettings {
  /** The title and the version of the API, and others that OpenAPI has. Default: `Durable Objects`, version `1.0.0`. */
  info?: {
    readonly title: string;
    readonly version: string;
    readonly [more: string]: unknown;
  } | undefined;
  /** The addresses of the Worker. Default: where the document is. */
  servers?: readonly {
    readonly url: string;
    readonly [more: string]: unknown;
  }[] | undefined;
  /** By name, how callers say who they are, such as `{ login: { type: 'http', scheme: 'bearer' } }`. Default: none. */
  securitySchemes?: Readonly<Record<string, object>> | undefined;
  /** Which of `securitySchemes` every call needs, such as `[{ login: [] }]`. Default: none. */
  security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /**
   * Makes the JSON Schema of a schema in its own way, such as Zod Mini's by `z.toJSONSchema`. It is called for each
   * argument and each `output`; for `undefined`, the schema's own way counts. Default: none.
   */
  toJsonSchema?: ((schema: object) => object | undefined) | undefined;
}
/** The options of `openApi`. */
export interface OpenApiOptions extends OpenApiSettings {
  /** The beginning of the paths. Default `/__rpc`. */
  prefix?: string | undefined;
}
/** A document of OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers?: readonly object[];
  readonly tags: readonly {
    readonly name: string;
  }[];
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly security?: readonly object[];
}
/**
 * Makes the OpenAPI document of objects from their contracts: what `routeHttpRequest` answers, for generators of clients,
 * documentation and tools. It needs no server, so a script can write the document to a file.
 *
 * Methods that plain HTTP cannot call are left out: those with a callback, a stream or a capability among their arguments or
 * results, and those with a required argument that JSON does not have.
 *
 * @param classes - by the name of its binding, each class that `lumenizeRpcDO` has returned, or what `compileContract` has
 *   returned
 * @returns a document of OpenAPI 3.1, as plain data
 * @throws TypeError for a class without a contract
 * @example
 * const document = openApi({ COUNTER: Counter }, { info: { title: 'Counter', version: '1.2.0' } });
 * writeFileSync('openapi.json', JSON.stringify(document, null, 2));
 */
export declare function openApi(classes: Readonly<Record<string, ClassWithContract | CompiledContract>>, options?: OpenApiOptions): OpenApiDocument;
/** The document that `routeHttpRequest` answers. */
export interface ServedOpenApi extends OpenApiSettings {
  /** `openApi`. It is passed so that a Worker which serves no document does not contain it. */
  generator: (classes: Readonly<Record<string, ClassWithContract>>, options: OpenApiOptions) => OpenApiDocument;
}
/** What a hook has let through. */
interface ReachedObject {
  /** The request, with the caller that the hook has named. */
  readonly forwarded: Request;
  /** The object's stub. */
  readonly target: FetchTarget;
}
interface CalledObject extends ReachedObject {
  /** The URL of the request. */
  readonly url: URL;
  /** The caller that the hook has named. */
  readonly caller: Partial<IdentifiedCaller>;
  /** The name of its binding. */
  readonly binding: string;
  readonly contract: ContractDescription;
  /**
   * Calls the hook again, and makes another stub, since a stub does not outlast its object.
   *
   * @returns the response of a hook that now rejects the request
   */
  reachAgain(): Promise<ReachedObject | Response>;
}
/** The options of `routeHttpRequest`: those of `routeDORequest`, and the classes. */
export interface HttpOptions extends RouteOptions {
  /** By the name of its binding in `env`, each class that callers can reach. */
  classes: Readonly<Record<string, ClassWithContract>>;
  /**
   * The OpenAPI document at `{prefix}/openapi.json`: `{ generator: openApi }`, and what the application says in it. It is
   * made once if this object is a constant of the module. The hook `onBeforeRequest` guards it, with a route whose binding
   * and instance are empty. Default: no document.
   */
  openapi?: ServedOpenApi | undefined;
  /**
   * MCP at `{prefix}/{binding}/{instance}/mcp`: what `mcp` of `lumenize-rpc/mcp` has returned, so that a Worker without it
   * does not contain it. Default: no MCP.
   */
  mcp?: McpDoor | undefined;
}
/** Answers MCP for the objects of some bindings. */
export interface McpDoor {
  readonly bindings: readonly string[];
  /** Answers a request that the hook has let through. */
  readonly '~answer': (object: CalledObject) => Promise<Response>;
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
export {};