/** Routes a request of plain HTTP: checks its path and its origin, calls the hook, and finds the object. */
import { CALL_SEGMENT } from '../wire/messages.ts';
import { callerOf, withoutCaller } from '../server/base/caller.ts';
import { decodeSegment, findNamespaces } from '../server/base/namespaces.ts';
import { isProbe } from '../server/base/probes.ts';
import { isUpgrade } from '../server/base/requests.ts';
import { type ClassWithContract, describeContract } from '../server/contract/description.ts';
import {
  callHook,
  guardOrigin,
  locate,
  type RouteOptions,
  segmentsAfter,
  stubOf,
} from '../server/routing/router.ts';
import { answerCall } from './call.ts';
import type { CalledObject, ReachedObject } from './called-object.ts';
import { answerDocument, DOCUMENT_SEGMENT, type ServedOpenApi } from './document.ts';
import { REPLAYED } from './keys.ts';
import { refusal, refuse } from './problems.ts';

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

/** The headers of a response that a page of another origin can read. */
const EXPOSED = `${REPLAYED}, Retry-After`;

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
export async function routeHttpRequest(
  request: Request,
  env: object,
  options: HttpOptions,
): Promise<Response | undefined> {
  const { classes, prefix, bindings, otherPaths, openapi, mcp, onBeforeRequest, cors } = options;
  const url = new URL(request.url);
  const [segment, instance, ...path] = segmentsAfter(prefix, url.pathname);
  const reachable = bindings
    ? Object.fromEntries(Object.entries(classes).filter(([name]) => bindings.includes(name)))
    : classes;
  /** Answers a request that is neither an upgrade nor a probe, which have hooks of their own. */
  const guard = (
    methods: string,
    answer: (checked: Request) => Promise<Response>,
  ): Promise<Response> =>
    guardOrigin(
      request,
      url,
      options,
      refuse,
      async (allowed) => {
        if (isUpgrade(allowed) || isProbe(allowed)) {
          return refuse(400, `The address of WebSockets is …/${CALL_SEGMENT}`);
        }
        return answer(withoutCaller(allowed));
      },
      methods,
    );
  if (openapi && segment === DOCUMENT_SEGMENT && instance === undefined) {
    return guard('GET', (checked) => answerDocument(checked, openapi, reachable, options));
  }
  const isCall = path.length === 1 && path[0] === CALL_SEGMENT;
  if (path.length === 0 || isCall) return undefined;
  const matches = findNamespaces(env, segment, Object.keys(reachable));
  const [[binding] = ['']] = matches;
  const Class = reachable[binding];
  if (!Class) return undefined;
  const contract = describeContract(Class);
  const name = path.length === 1 ? decodeSegment(path[0]) : undefined;
  const forMcp = name === 'mcp' && mcp?.bindings.includes(binding) ? mcp : undefined;
  if (otherPaths && !forMcp && !contract?.methods.has(name as string)) return undefined;
  return guard('GET, POST', async (checked) => {
    const located = locate(matches, instance, path, refuse);
    if (located instanceof Response) return located;
    const reachAgain = async (): Promise<ReachedObject | Response> => {
      const forwarded = await callHook(checked, located.route, onBeforeRequest);
      if (forwarded instanceof Response) return forwarded;
      const target = await stubOf(located, forwarded, options, refuse);
      return target instanceof Response ? target : { forwarded, target };
    };
    const reached = await reachAgain();
    if (reached instanceof Response) return reached;
    if (name === undefined) {
      return refusal('NOT_FOUND', `The path must be ${binding}/{instance}/{method}`);
    }
    if (!contract)
      return refuse(500, `classes.${binding} is not a class that lumenizeRpcDO returned`);
    const { forwarded, target } = reached;
    // Only a hook that replaces the request can name a caller.
    const isSame = forwarded === checked;
    const object = {
      forwarded,
      target,
      url: isSame ? url : new URL(forwarded.url),
      caller: isSame ? {} : callerOf(forwarded),
      binding,
      contract,
      reachAgain,
    };
    const response = await (forMcp ? forMcp['~answer'](object) : answerCall(name, object));
    if (cors && checked.headers.has('Origin')) {
      response.headers.set('Access-Control-Expose-Headers', EXPOSED);
    }
    return response;
  });
}
