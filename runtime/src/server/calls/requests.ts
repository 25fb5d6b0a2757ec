/** Requests below the path of an object that are not RPC, for features that answer them. */
import { OBJECT_PATH } from '../base/requests.ts';
import type { ConnectionIdentity } from '../connections/identity.ts';
import { rejectionCountsOf, tooManyRejections } from '../connections/rejections.ts';
import type { Feature, Target } from '../contract/types.ts';

/** The target and the path of a request. */
export interface RequestContext extends Target {
  /** The path of the object, as the router has found it: `/__rpc/COUNTER/main`. */
  readonly objectPath: string;
  /** The rest of the path, without the slash before it, and not decoded. */
  readonly path: string;
}

/**
 * Makes the hook `request` of a feature.
 *
 * @param identityOf - returns the client that sends a request. A client with too many rejected messages gets status 429.
 * @param answer - returns `undefined` for a request that is left to the class
 * @example
 * request: answerRequests(identityOf, (request, { path }) => path === 'health' ? new Response('ok') : undefined),
 */
export function answerRequests(
  identityOf: (request: Request) => ConnectionIdentity,
  answer: (request: Request, context: RequestContext) => Response | Promise<Response> | undefined,
): NonNullable<Feature['request']> {
  return (request, target) => {
    const { pathname } = new URL(request.url);
    const objectPath = request.headers.get(OBJECT_PATH);
    // A request that has not come through the router is not for a feature.
    if (objectPath === null || !`${pathname}/`.startsWith(`${objectPath}/`)) return undefined;
    if (rejectionCountsOf(target.instance).bars(identityOf(request))) return tooManyRejections();
    const path = pathname.slice(objectPath.length + 1);
    return answer(request, { ...target, objectPath, path });
  };
}
