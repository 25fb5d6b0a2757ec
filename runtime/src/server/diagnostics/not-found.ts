/** Tells a developer why the path of a client names no binding. */
import { CLIENT_ID, PROBE } from '../../wire/messages.ts';
import { NOT_FOUND_STATUS } from '../../wire/status.ts';
import { isLocal } from '../base/development.ts';
import { decodeSegment, findNamespaces, namespacesOf } from '../base/namespaces.ts';

/** The bindings that any router of the Worker has found. A router may leave out bindings that another router lists. */
export const routedBindings = new Set<string>();

/**
 * Answers a client of the runtime in development and in tests. A stranger must not learn the names of the bindings,
 * and the Worker may have its own route for any other request.
 *
 * @param segments - the segments of the path after the prefix: a binding, an instance and `call`. A client leaves out
 *   empty segments.
 */
export function explainNotFound(
  { headers }: Request,
  env: object,
  segments: (string | undefined)[],
): Response | undefined {
  // A client with a WebSocket asks why it was rejected.
  const isProbe = headers.has(PROBE);
  const [segment] = segments;
  if (!segment || !(isProbe || headers.has(CLIENT_ID)) || !isLocal()) return undefined;
  const [unlisted] = findNamespaces(env, segment)[0] ?? [];
  // Another router of the Worker may list the binding. Only a probe proves that every router has had its turn: it
  // follows an upgrade that failed.
  if (unlisted && (routedBindings.has(unlisted) || !isProbe)) return undefined;
  let problem = unlisted
    ? `The option bindings of routeDORequest leaves ${unlisted} out: add it there`
    : unknown(decodeSegment(segment) ?? segment, env);
  if (segments.length < 3) problem = "The client's binding or instance is empty";
  return new Response(problem, { status: NOT_FOUND_STATUS });
}

function unknown(name: string, env: object): string {
  const bindings = namespacesOf(env).map(([binding]) => binding);
  return (
    `No Durable Object binding is named ${name.slice(0, 50)}: correct it, or add it to wrangler.jsonc. ` +
    `There are ${bindings.join(', ') || 'none'}`
  );
}
