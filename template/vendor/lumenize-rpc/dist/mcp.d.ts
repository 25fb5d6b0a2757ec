import { McpDoor } from "./route.js";
/** The options of `mcp`. */
interface McpOptions {
  /** The bindings whose objects agents can call, by their names in `classes`. */
  bindings: readonly string[];
  /** The name and the version that clients show for the server. Default: the name of the binding, version `1.0.0`. */
  info?: {
    readonly name: string;
    readonly version: string;
    readonly title?: string | undefined;
  } | undefined;
  /** Instructions for agents that use the tools. Clients add the text to the agent's prompt. Default: none. */
  instructions?: string | undefined;
  /**
   * A function that returns the JSON Schema of a schema, as in `OpenApiSettings`. It is called for each argument and
   * each `output`. If it returns `undefined`, the schema's own JSON Schema is used. Default: none.
   */
  toJsonSchema?: ((schema: object) => object | undefined) | undefined;
}
/**
 * Makes objects servers of MCP, the Model Context Protocol, at `{prefix}/{binding}/{instance}/mcp`: each method of the
 * contract that JSON can call is a tool, and each live value without required arguments is a resource. A call of a tool
 * is a call of `routeHttpRequest`, with its hook, its caller and its limits.
 *
 * It needs the package `@modelcontextprotocol/server`. Call it once, at module scope: it keeps the schemas of the
 * tools.
 *
 * @param options - the bindings, and what clients show
 * @returns the option `mcp` of `routeHttpRequest`
 * @example
 * const agents = mcp({ bindings: ['COUNTER'] });
 * // In `fetch`:
 * return await routeHttpRequest(request, env, { classes: { COUNTER: Counter }, mcp: agents });
 */
export declare function mcp(options: McpOptions): McpDoor;
export type { McpDoor, McpOptions };