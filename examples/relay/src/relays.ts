/**
 * The names of relays, and which of them a client follows a match through. The name of a relay begins with that of its
 * origin: `final/EU` copies the match `final`, and `final/EU/2` copies the relay `final/EU`.
 */

/**
 * Relays in each region. It can be changed at any time, because a client can go on at any relay. With 0, the match itself
 * serves everybody, which is enough for some thousands.
 */
const RELAYS = 4;

/** Where the relays of a continent are created. */
const HINTS: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  AS: 'apac',
  EU: 'weur',
  NA: 'enam',
  OC: 'oc',
  SA: 'sam',
};

/** @returns the name of the object that a relay copies */
export function originOf(relay: string): string {
  return relay.slice(0, relay.lastIndexOf('/'));
}

/** Whether a name is that of a relay. */
export function isRelay(name: string): boolean {
  return name.includes('/');
}

/** The place of a relay, for `getByName`. */
export function placeOf(relay: string): { locationHint?: DurableObjectLocationHint } {
  const locationHint = HINTS[relay.split('/')[1] ?? ''];
  return locationHint ? { locationHint } : {};
}

/**
 * The relay of a client: one of its region. The same client gets the same one again.
 *
 * @param request - its WebSocket upgrade
 * @returns `undefined` if there are no relays
 */
export function relayFor(match: string, request: Request, relays = RELAYS): string | undefined {
  if (relays === 0) return undefined;
  const region = String(request.cf?.['continent'] ?? 'EU');
  // It has the client's id.
  const client = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  let hash = 0;
  for (const letter of client) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return `${match}/${region}/${hash % relays}`;
}
