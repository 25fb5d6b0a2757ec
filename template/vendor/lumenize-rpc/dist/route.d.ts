import { ClassWithContract, CompiledContract, ContractDescription, FetchTarget, RouteOptions } from "./server-core.js";
import { IdentifiedCaller } from "./wire.js";
/** The parts of the document that the contracts do not contain. */
export interface OpenApiSettings {
  /**
   * The title and the version of the API, and other properties of OpenAPI's `info`. Default: `Durable Objects`, version
   * `1.0.0`.
   */
  info?: {
    readonly title: string;
    readonly version: string;
    readonly [more: string]: unknown;
  } | undefined;
  /** The addresses of the Worker. Default: the address of the document. */
  servers?: readonly {
    readonly url: string;
    readonly [more: string]: unknown;
  }[] | undefined;
  /**
   * The ways in which callers can log in, by name, such as `{ login: { type: 'http', scheme: 'bearer' } }`. Default:
   * none.
   */
  securitySchemes?: Readonly<Record<string, object>> | undefined;
  /** The `securitySchemes` that every call needs, such as `[{ login: [] }]`. Default: none. */
  security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /**
   * A function that returns the JSON Schema of a schema, such as `z.toJSONSchema` for Zod Mini. It is called for each
   * argument and each `output`. If it returns `undefined`, the schema's own JSON Schema is used. Default: none.
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
 * Makes the OpenAPI document of objects from their contracts. It describes the requests that `routeHttpRequest`
 * answers, for generators of clients, for documentation and for tools. It needs no server, so a script can write the
 * document to a file.
 *
 * Methods that plain HTTP cannot call are left out: those with a callback, a stream or a capability among their
 * arguments or results, and those with a required argument that JSON does not have.
 *
 * @param classes - the classes, by the names of their bindings: each is a class that `lumenizeRpcDO` has returned, or
 *   the result of `compileContract`
 * @returns a document of OpenAPI 3.1, as plain data
 * @throws TypeError for a class without a contract
 * @example
 * const document = openApi({ COUNTER: Counter }, { info: { title: 'Counter', version: '1.2.0' } });
 * writeFileSync('openapi.json', JSON.stringify(document, null, 2));
 */
export declare function openApi(classes: Readonly<Record<string, ClassWithContract | CompiledContract>>, options?: OpenApiOptions): OpenApiDocument;
/** The settings of the document that `routeHttpRequest` serves. */
export interface ServedOpenApi extends OpenApiSettings {
  /** The function `openApi`. It is an option, so that a Worker which serves no document does not contain it. */
  generator: (classes: Readonly<Record<string, ClassWithContract>>, options: OpenApiOptions) => OpenApiDocument;
}
/** A request that a hook has let through, and its object. */
interface ReachedObject {
  /** The request, with the caller that the hook has named. */
  readonly forwarded: Request;
  readonly target: FetchTarget;
}
interface CalledObject extends ReachedObject {
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
/** The options of `routeHttpRequest`: the options of `routeDORequest`, and the classes. */
export interface HttpOptions extends RouteOptions {
  /** The classes that callers can reach, by the names of their bindings in `env`. */
  classes: Readonly<Record<string, ClassWithContract>>;
  /**
   * The OpenAPI document at `{prefix}/openapi.json`: `{ generator: openApi }`, and the settings of `openApi`. The
   * document is made once if this object is a constant of the module. The hook `onBeforeRequest` guards it, with a
   * route whose binding and instance are empty. Default: no document.
   */
  openapi?: ServedOpenApi | undefined;
  /**
   * MCP at `{prefix}/{binding}/{instance}/mcp`: the result of `mcp` of `lumenize-rpc/mcp`. A Worker without MCP does
   * not contain its code. Default: no MCP.
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
 * @param options - the options of `routeDORequest`, and `classes`
 * @returns the answer; `undefined` for a path that is not under the prefix, names none of `classes`, or ends in
 *   `/call`, which `routeDORequest` answers. It never throws because of a client's request.
 * @example
 * return (
 *   (await routeHttpRequest(request, env, { classes: { COUNTER: Counter } })) ??
 *   (await routeDORequest(request, env)) ??
 *   new Response('Not found', { status: 404 })
 * );
 */
export declare function routeHttpRequest(request: Request, env: object, options: HttpOptions): Promise<Response | undefined>;
export {};