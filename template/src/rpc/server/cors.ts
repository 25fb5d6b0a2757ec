/**
 * Which pages may call. A browser sends cookies with requests from any page and with WebSocket
 * upgrades too, so a page of another origin is refused unless the Worker allows it. Imports nothing.
 */

/** Which other origins may call, and whether with cookies (`credentials`, default false). */
export interface CorsOptions {
  /** The origins that may call, such as `https://example.com`, or a function that decides. */
  origin: readonly string[] | ((origin: string, request: Request) => boolean);
  /** Allows requests with cookies. Default false. */
  credentials?: boolean;
}

/** `false`: only the Worker's own pages, and callers that are no browser. `true`: any page. */
export type Cors = boolean | CorsOptions;

export function isOriginAllowed(request: Request, cors: Cors): boolean {
  const origin = request.headers.get('Origin');
  if (origin === null || origin === new URL(request.url).origin) return true;
  if (typeof cors === 'boolean') return cors;
  return typeof cors.origin === 'function'
    ? cors.origin(origin, request)
    : cors.origin.includes(origin);
}

/** Whether a browser asks if a page may send what it is about to send. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('Access-Control-Request-Method');
}

export function answerPreflight(request: Request): Response {
  const asked = request.headers.get('Access-Control-Request-Headers');
  const headers = new Headers({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Max-Age': '86400',
  });
  if (asked) headers.set('Access-Control-Allow-Headers', asked);
  return new Response(null, { status: 204, headers });
}

/** Origins whose refusal is on the console. */
const reported = new Set<string>();

/** How many of them there may be: anyone can make up another. */
const MAX_REPORTED = 100;

/**
 * Refuses a page's request, and says why where its developer looks: in the page, which would
 * otherwise not even learn that it was refused, and on the Worker's console. A page may ask with a
 * preflight; what it sends then is refused.
 */
export function refuseOrigin(request: Request): Response {
  if (isPreflight(request)) return withRefusal(answerPreflight(request), request);
  const origin = request.headers.get('Origin') ?? '';
  const problem = `Origin ${origin} is not allowed`;
  if (!reported.has(origin) && reported.size < MAX_REPORTED) {
    reported.add(origin);
    console.warn(
      `${problem}. To allow them: routeDORequest(…, { cors: { origin: ['${origin}'] } })`,
    );
  }
  return withRefusal(new Response(`${problem}: see the option cors`, { status: 403 }), request);
}

/** A refusal that any page may read, as it would not be shown one of its own. */
export function withRefusal(response: Response, request: Request): Response {
  return withCorsHeaders(response, request, { origin: [] });
}

/** A response that the page which sent the request may read. */
export function withCorsHeaders(response: Response, request: Request, cors: Cors): Response {
  const origin = request.headers.get('Origin');
  // An upgrade's response is not for the page, and cannot be copied.
  if (!cors || origin === null || response.webSocket) return response;
  const readable = new Response(response.body, response);
  const credentials = typeof cors === 'object' && cors.credentials;
  readable.headers.set('Access-Control-Allow-Origin', cors === true ? '*' : origin);
  if (credentials) readable.headers.set('Access-Control-Allow-Credentials', 'true');
  if (cors !== true) readable.headers.append('Vary', 'Origin');
  return readable;
}
