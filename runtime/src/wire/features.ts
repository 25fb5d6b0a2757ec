/**
 * The messages and references of all features, in one table, so that no two claim the same name. A contract that does
 * not bring a feature answers for each such message alone: an old page may meet a new object.
 */

/** What needs a feature, and what to write in a contract that brings it. */
export interface Needed {
  readonly what: string;
  readonly write: string;
  /** The kind of the message that answers for this one, with an error. Without it, there is nothing to answer. */
  readonly answer?: string;
}

const SUBSCRIPTIONS = { what: 'Subscriptions', write: 'live(), events(), stream() or rows()' };
const STREAMS = { what: 'Streams as arguments', write: 'streamOf()' };
export const CAPABILITIES = { what: 'Capabilities', write: 'a class made by capability()' };
const FUNCTIONS = { what: 'Functions as arguments', write: 'callback()' };

/** By the kind of a client's message. */
export const MESSAGES: ReadonlyMap<unknown, Needed> = new Map(
  Object.entries({
    subscribe: { ...SUBSCRIPTIONS, answer: 'complete' },
    ack: SUBSCRIPTIONS,
    unsubscribe: SUBSCRIPTIONS,
    item: STREAMS,
    end: STREAMS,
    return: FUNCTIONS,
  }),
);

/** By the tag of a reference in the arguments of a call. */
export const REFERENCES: ReadonlyMap<unknown, Needed> = new Map(
  Object.entries({ Capability: CAPABILITIES, Function: FUNCTIONS, Stream: STREAMS }),
);

/** The problem with something that needs a feature which the contract does not bring. */
export function absent({ what, write }: Needed): string {
  return `${what} need ${write} in the contract, which has none`;
}
