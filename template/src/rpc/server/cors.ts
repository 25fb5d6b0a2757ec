/**
 * Which pages may call. A browser sends cookies with requests from any page and with WebSocket
 * upgrades too, so a page of another origin is refused unless the Worker allows it. Imports nothing.
 */

/** Which other origins may call, and whether with cookies (`credentials`, default false). */
export interface CorsOptions {
  /** Origins such as `https://example.com`, or a function that decides. */
  origin: readonly string[] | ((origin: string, request: Request) => boolean);
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
