/** Names whoever asks to be named, for workers under test. Runs in the Workers runtime. */

/** Before a name, as a WebSocket subprotocol. */
const CALLER = 'as.';

/** @returns the name that a request asks for */
export function nameIn(request: Request): string | undefined {
  const protocols = request.headers.get('Sec-WebSocket-Protocol')?.split(/, */) ?? [];
  return protocols.find((protocol) => protocol.startsWith(CALLER))?.slice(CALLER.length);
}
