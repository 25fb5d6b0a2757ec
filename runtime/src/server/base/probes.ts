/**
 * Answers probes. A client sends a probe to ask why its upgrade was rejected, because a WebSocket does not tell the
 * reason. The answer says what the client can do.
 */
import { headerItems, rejectionResponse } from './requests.ts';
import { CLIENT_ID, PROBE } from '../../wire/messages.ts';

/** Returns whether a request asks why an upgrade was rejected, which a WebSocket does not report. */
export function isProbe({ method, headers }: Request): boolean {
  return method === 'POST' && headers.has(PROBE);
}

/** Matches a character that a subprotocol cannot contain. */
const FORBIDDEN = /[^\w!#$%&'*+.^`|~-]/u;

/** Returns the subprotocols that a probe asks about. The client encodes them, since headers lack some characters. */
export function probedProtocols({ headers }: Request): string[] {
  const items = headerItems(headers.get(PROBE));
  try {
    return items.map((item) => decodeURIComponent(item));
  } catch {
    return items;
  }
}

/**
 * Explains to a client why it cannot have sent the upgrade that its probe asks about.
 *
 * @returns a response with the reason; `undefined` if the client may have sent the upgrade
 */
export function rejectUnsendable(protocols: readonly string[]): Response | undefined {
  const [wrong] = protocols.flatMap((protocol) => FORBIDDEN.exec(protocol) ?? []);
  const twice = protocols.find((protocol, index) => protocols.indexOf(protocol) < index);
  let problem: string | undefined;
  if (protocols.includes('')) problem = 'contains an empty text';
  else if (twice !== undefined) problem = 'contains a text twice';
  else if (wrong !== undefined) problem = `cannot contain ${JSON.stringify(wrong)}`;
  if (!problem) return undefined;
  const instead = "use letters, digits and !#$%&'*+-.^_`|~, as base64url does";
  return rejectionResponse(400, `The option 'protocols' ${problem}: ${instead}`);
}

// Each text has at most 200 characters: see `rejectionOf`.
const BLOCKED =
  'HTTP works, but WebSockets do not: a proxy or a Content Security Policy (connect-src) blocks them, ' +
  "or there are none, as in Node 20 (option WebSocket). Use transport: 'http'";
const NO_ID =
  'The engine of the client has no crypto.getRandomValues: import a polyfill, such as ' +
  'react-native-get-random-values, before the client';

/** Answers a probe of an upgrade that the object would accept. */
export function answerProbe(request: Request): Response {
  const protocols = probedProtocols(request);
  const unsendable = rejectUnsendable(protocols);
  if (unsendable) return unsendable;
  if (protocols.some((protocol) => protocol.startsWith(`${CLIENT_ID}.`))) {
    return rejectionResponse(426, BLOCKED);
  }
  return rejectionResponse(400, NO_ID);
}
