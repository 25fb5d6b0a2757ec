/** Lists the matches that have relays, and chooses the relay through which a client follows a match. */
import { relayName } from 'lumenize-rpc/relay';

/**
 * The matches that many clients follow. Any other match serves its followers itself, which is enough for some
 * thousands.
 */
const MATCHES: ReadonlySet<string> = new Set(['final']);

/** The number of relays in each region. It can be changed at any time, because a client can go on at any relay. */
const RELAYS = 4;

/** The location in which the relays for a continent are created. */
const HINTS: Readonly<Record<string, DurableObjectLocationHint>> = {
  AF: 'afr',
  AS: 'apac',
  EU: 'weur',
  NA: 'enam',
  OC: 'oc',
  SA: 'sam',
};

export interface RelayPlace {
  name: string;
  /** The options of `getByName`. */
  options: { locationHint?: DurableObjectLocationHint };
}

/** Returns all relays of a match. A match that is not listed has none. */
export function relaysOf(match: string): RelayPlace[] {
  return Object.keys(HINTS).flatMap((region) => relaysIn(region, match));
}

/**
 * Returns a relay in a client's region. A client gets the same relay each time.
 *
 * @param request - the client's WebSocket upgrade
 * @returns `undefined` if the match has no relays
 */
export function relayFor(match: string, request: Request): RelayPlace | undefined {
  const continent = String(request.cf?.['continent']);
  const relays = relaysIn(Object.hasOwn(HINTS, continent) ? continent : 'EU', match);
  // This header has the client's id.
  const client = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  let hash = 0;
  for (const letter of client) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return relays[hash % relays.length];
}

function relaysIn(region: string, match: string): RelayPlace[] {
  if (!MATCHES.has(match)) return [];
  const locationHint = HINTS[region];
  return Array.from({ length: RELAYS }, (_, index) => ({
    name: relayName(match, region, index),
    options: locationHint ? { locationHint } : {},
  }));
}
