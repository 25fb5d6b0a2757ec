/** Distinguishes kinds of requests, for the router and the object. */

/** The header in which the router tells an object the path before the rest of a request's path. */
export const OBJECT_PATH = 'lumenize-rpc-path';

/** Returns a response that says why a request is rejected. */
export function rejectionResponse(status: number, reason: string): Response {
  return new Response(reason, { status });
}

/** Returns the items of a header that is a list. */
export function headerItems(header: string | null | undefined): string[] {
  return header ? header.split(',').map((item) => item.trim()) : [];
}

/** Returns whether a request opens a WebSocket. Only GET can do so, whatever the headers are. */
export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('Upgrade')?.toLowerCase() === 'websocket';
}
