/**
 * The messages and references of all features, in one table, so that no two features claim the same name. An object
 * without a feature rejects each message of the feature alone, because an old page may call a new object.
 */

export type FeatureName =
  | 'subscriptions'
  | 'argument streams'
  | 'callbacks'
  | 'capabilities'
  | 'bytes'
  | 'presence'
  | 'tracing';

/** The feature that handles a client's message, by the kind of the message. */
export const FEATURE_MESSAGES: ReadonlyMap<unknown, FeatureName> = /* @__PURE__ */ new Map([
  ['subscribe', 'subscriptions'],
  ['ack', 'subscriptions'],
  ['unsubscribe', 'subscriptions'],
  ['item', 'argument streams'],
  ['end', 'argument streams'],
  ['return', 'callbacks'],
  ['bytes', 'bytes'],
  ['say', 'presence'],
  ['trace', 'tracing'],
]);

/** The feature that reads a reference in the arguments of a call, by the tag of the reference. */
export const FEATURE_REFERENCES: ReadonlyMap<unknown, FeatureName> = /* @__PURE__ */ new Map([
  ['Capability', 'capabilities'],
  ['Function', 'callbacks'],
  ['Stream', 'argument streams'],
]);
