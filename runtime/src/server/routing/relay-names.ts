/** The names of relays, which no client can choose: the router refuses the names of the library. */
import { LIBRARY_NAMES } from '../base/namespaces.ts';

const PREFIX = `${LIBRARY_NAMES}:relay:`;

/**
 * Returns the name of a relay for `getByName`. A client cannot name this object, so only the Worker can choose it.
 *
 * @param origin - the name of the object that the relay copies, which must not be a relay
 * @param region - the region of the relay, such as `EU`: letters, digits, `-` and `_`
 * @param index - the number of the relay among the relays of the region: 0 or a positive integer
 * @returns the name of the relay
 * @throws RangeError for a name that is empty or the name of a relay, and for an invalid region or index
 * @example
 * env.MATCH_RELAY.getByName(relayName('final', 'EU', 0), { locationHint: 'weur' });
 */
export function relayName(origin: string, region: string, index: number): string {
  const isValid = origin !== '' && /^[\w-]+$/.test(region) && Number.isSafeInteger(index);
  if (!isValid || index < 0 || isRelayName(origin)) {
    throw new RangeError(
      `relayName('${origin}', '${region}', ${index}): the origin must be the name of an object that is not a relay, the region letters, digits, _ or -, and the index an integer from 0`,
    );
  }
  return `${PREFIX}${region}:${index}:${origin}`;
}

/**
 * Returns the name of the object that a relay copies.
 *
 * @param relay - the name of the relay: `this.ctx.id.name`
 * @returns the name of the object that the relay copies
 * @throws RangeError for a name that is not from `relayName`
 * @example
 * readonly #match = relay<Match>(this, () => this.env.MATCH.getByName(originOf(this.ctx.id.name)));
 */
export function originOf(relay: string | undefined): string {
  const [, origin] =
    (isRelayName(relay) && /^[\w-]+:\d+:(.+)$/s.exec(relay.slice(PREFIX.length))) || [];
  if (origin === undefined) {
    throw new RangeError(`'${relay}' is not the name of a relay: make it with relayName`);
  }
  return origin;
}

export function isRelayName(name: string | undefined): name is string {
  return name?.startsWith(PREFIX) === true;
}
