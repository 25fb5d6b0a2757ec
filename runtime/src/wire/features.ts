/**
 * The messages and references of all features, in one table, so that no two claim the same name. A contract that does
 * not bring a feature answers for each such message alone: an old page may meet a new object.
 */

/** What needs a feature, and what to write in a contract that brings it. */
export interface FeatureNeed {
  readonly what: string;
  readonly write: string;
  /** Where to write it; default: in the contract. */
  readonly where?: string;
  /** A message of it says what the client can do, and requests nothing: no rejection, and its answer has no number. */
  readonly isOffer?: boolean;
}

const SUBSCRIPTIONS = { what: 'Subscriptions', write: 'live(), events(), stream() or rows()' };
const STREAMS = { what: 'Streams as arguments', write: 'streamOf()' };
export const CAPABILITIES = { what: 'Capabilities', write: 'a class made by capability()' };
export const BINARY_FRAMES: FeatureNeed = {
  what: 'Binary frames',
  write: 'use: [bytes]',
  where: 'the options of the object',
  isOffer: true,
};
const FUNCTIONS = { what: 'Functions as arguments', write: 'callback()' };

/** By the kind of a client's message. */
export const FEATURE_MESSAGES: ReadonlyMap<unknown, FeatureNeed> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    subscribe: SUBSCRIPTIONS,
    ack: SUBSCRIPTIONS,
    unsubscribe: SUBSCRIPTIONS,
    item: STREAMS,
    end: STREAMS,
    return: FUNCTIONS,
    bytes: BINARY_FRAMES,
  }),
);

/** By the tag of a reference in the arguments of a call. */
export const FEATURE_REFERENCES: ReadonlyMap<unknown, FeatureNeed> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    Capability: CAPABILITIES,
    Function: FUNCTIONS,
    Stream: STREAMS,
  }),
);

/** The kind of the message that answers for one which has an answer, with an error. */
export const ANSWER_KINDS: Readonly<Record<string, string>> = {
  subscribe: 'complete',
  bytes: 'bytes',
};

/** The problem with something that needs a feature which the contract does not bring. */
export function featureMissing({ what, write, where = 'the contract' }: FeatureNeed): string {
  return `${what} need ${write} in ${where}, which has none`;
}
