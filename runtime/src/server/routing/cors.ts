/**
 * Decides which pages may call. A browser sends cookies with requests from any page, also with WebSocket upgrades. So
 * a page of another origin is rejected unless the Worker allows the origin, and its cookies are removed unless the Worker
 * allows credentials too.
 */
import { headerItems } from '../base/requests.ts';
import { PROBE } from '../../wire/messages.ts';
import { FORBIDDEN_STATUS } from '../../wire/status.ts';
import { isProbe } from '../base/probes.ts';
import { explanations } from '../diagnostics/explanations.ts';

/** Says which other origins may call, and whether with cookies (`credentials`, default false). */
export interface CorsOptions {
  /** The origins that may call, such as `https://example.com`, or a function that decides. */
  origin: readonly string[] | ((origin: string, request: Request) => boolean);
  /**
   * Allows requests of other origins with cookies and logins. With `false`, the router removes these from the requests of
   * other origins. They are the headers that a browser sends by itself, with a WebSocket upgrade too: `Cookie`, an
   * `Authorization` of the schemes Basic, Digest, Negotiate and NTLM, and the headers of Cloudflare Access. Tokens in
   * `protocols` and `headers` always arrive. Default false.
   */
  credentials?: boolean | undefined;
}

/** `false` allows only the Worker's own pages, and callers that are not browsers. `true` allows any page. */
export type Cors = boolean | CorsOptions;

/** Headers that a browser sets, or that Cloudflare sets from the cookie of Cloudflare Access. No page can set them. */
const SENT_BY_ITSELF = ['Cookie', 'Cf-Access-Jwt-Assertion', 'Cf-Access-Authenticated-User-Email'];

/** The logins that a browser repeats by itself. A page's own `Authorization` has another scheme, such as `Bearer`. */
const HTTP_LOGIN = /^\s*(basic|digest|negotiate|ntlm)\b/i;

/** Returns the names of the headers that identify the browser's user. */
function identifyingHeaders({ headers }: Request): string[] {
  const names = SENT_BY_ITSELF.filter((name) => headers.has(name));
  if (HTTP_LOGIN.test(headers.get('Authorization') ?? '')) names.push('Authorization');
  return names;
}

/**
 * Returns the origin of a request, if it is not the Worker's own origin. A browser spells an origin in one way only, so any
 * other spelling of the Worker's origin counts as foreign. So does `null`, which a browser sends for a page without an
 * origin. Requests for a link or an image of another site have no origin. They are foreign if they identify the browser's
 * user.
 */
export function foreignOrigin(request: Request, url: URL): string | undefined {
  const { headers } = request;
  const origin = headers.get('Origin');
  if (origin !== null) return origin === url.origin ? undefined : origin;
  const isOfOtherSite = headers.get('Sec-Fetch-Site') === 'cross-site';
  return isOfOtherSite && identifyingHeaders(request).length > 0 ? 'null' : undefined;
}

/**
 * Removes the headers that identify the browser's user from a request of another origin, unless `cors` allows
 * credentials. Without credentials, a browser leaves them out of calls by POST, but not out of WebSocket upgrades and
 * forms.
 */
export function withoutCredentials(request: Request, cors: Cors): Request {
  if (typeof cors === 'object' && cors.credentials) return request;
  const names = identifyingHeaders(request);
  if (names.length === 0) return request;
  const headers = new Headers(request.headers);
  for (const name of names) headers.delete(name);
  return new Request(request, { headers });
}

export function isOriginAllowed(origin: string, request: Request, cors: Cors): boolean {
  if (typeof cors === 'boolean') return cors;
  return typeof cors.origin === 'function'
    ? cors.origin(origin, request)
    : cors.origin.includes(origin);
}

/** Returns whether the request is a CORS preflight: a browser asks whether a page may send its request. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('Access-Control-Request-Method');
}

/** Returns whether the request is a preflight of a probe. */
function asksForProbe(request: Request): boolean {
  const asked = request.headers.get('Access-Control-Request-Headers')?.toLowerCase();
  return isPreflight(request) && headerItems(asked).includes(PROBE);
}

/** @param methods - the HTTP methods that a page may use */
export function answerPreflight(request: Request, methods = 'POST'): Response {
  const asked = request.headers.get('Access-Control-Request-Headers');
  const headers = new Headers({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Max-Age': '86400',
  });
  if (asked) headers.set('Access-Control-Allow-Headers', asked);
  return new Response(null, { status: 204, headers });
}

/** Rejects the request of a page. The reason is in the response. */
export function rejectOrigin(
  origin: string,
  refuse: (status: number, message: string) => Response,
): Response {
  explanations?.reportOrigin(origin);
  return refuse(FORBIDDEN_STATUS, `Origin ${origin} is not allowed: see the option cors`);
}

/** Makes a rejection readable for a page of any origin: a browser hides a response without CORS headers. */
export function withRejectionHeaders(response: Response, request: Request): Response {
  return withCorsHeaders(response, request, { origin: [] });
}

/** Makes a response readable for the page that sent the request. */
export function withCorsHeaders(response: Response, request: Request, cors: Cors): Response {
  const origin = cors ? request.headers.get('Origin') : null;
  if (!cors || origin === null) return response;
  const readable = new Response(response.body, response);
  // A probe has the cookies that a browser sends with the upgrade. They were removed, unless the Worker allows them.
  const isOfProbe = isProbe(request) || asksForProbe(request);
  const credentials = isOfProbe || (typeof cors === 'object' && cors.credentials);
  const isAny = cors === true && !isOfProbe;
  readable.headers.set('Access-Control-Allow-Origin', isAny ? '*' : origin);
  if (credentials) readable.headers.set('Access-Control-Allow-Credentials', 'true');
  if (!isAny) readable.headers.append('Vary', 'Origin');
  return readable;
}
