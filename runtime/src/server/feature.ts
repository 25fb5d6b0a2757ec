/**
 * Everything that a feature may use of the core. Features import nothing else of `server/`. The record that a feature
 * fills is `Feature`; docs/architecture.md describes its parts.
 */

// The record of a feature, and the types of its parts.
export type {
  Feature,
  Featured,
  FeatureMethod,
  MessageContext,
  CallContext,
  Around,
  CallResource,
  CallResources,
  Target,
  CompiledContract,
  CompiledMethod,
  MethodDefinition,
  CompiledCapability,
  ArgumentSchema,
  CapabilityClass,
} from './contract/types.ts';
export {
  methodEntry,
  type MethodEntry,
  type MethodOptions,
  type Output,
  type Returns,
  type Schemas,
  compiledCapability,
} from './contract/entries.ts';
export type {
  CheckedContract,
  CheckedInput,
  EntryKindsOf,
  Listable,
} from './contract/checked-types.ts';
export type { RpcClass } from './contract/rpc-class.ts';
export { registerCapability } from './calls/capability-class.ts';
export {
  type CheckableFeed,
  checkEventsOf,
  FEED,
  isFeed,
  isStreamOf,
  type IsCallback,
  type StreamOf,
} from './base/brands.ts';

// Errors, and the validation of the values that a client sends.
export { badMessage, rejection } from './base/rejection.ts';
export { isStandard, type Schema } from './base/standard-schema.ts';
export type { TVoid } from './base/typebox-types.ts';
export {
  type Validator,
  validated,
  validatorOfKind,
  invalidArgument,
} from './schemas/validator.ts';
export { makeValidator } from './contract/make-validator.ts';
export { validateComplete } from './schemas/array-holes.ts';
export { parseUnchecked } from './base/parse-unchecked.ts';
export { pathTo } from './schemas/path-to.ts';
export { decodeSent } from './calls/arguments.ts';
export { sizeOf, weightOf } from './base/sizes.ts';
export {
  type CacheItem,
  CacheMemory,
  checkSentSize,
  heldMemoryOf,
  maxSentSize,
} from './base/memory.ts';
export { journaledClientsOf } from './journal/journal.ts';

// Calls: the code of the class, and its results.
export { settle } from './contract/around.ts';
export { runClassCode, surround, surroundBy } from './calls/call-context.ts';
export { inClassCode, nativeCalls } from './calls/native-calls.ts';
export { answerRequests, type RequestContext } from './calls/requests.ts';
export { callOnce } from './calls/exchange.ts';
export {
  encodeCallFailure,
  independentCall,
  invoke,
  prepareReusedCall,
} from './calls/invocation.ts';
export { type BoundMethod, capabilityTokenOf } from './calls/targets.ts';
export { disposeUnread, isStream, iteratorOf } from './calls/results/iterable-results.ts';
export { addHint, checkNotStreamed } from './calls/results/unsendable.ts';
export { readsCaller, runAsCaller } from './base/caller.ts';
export { PendingError, type PendingValue, pendingAsResult, type Run } from './base/pending.ts';

// Connections, and the clients behind them.
export type { Connection, Subscriptions } from './contract/connection.ts';
export {
  connectionOfClient,
  hibernatingConnectionsOf,
  openConnectionsOf,
} from './connections/sockets.ts';
export { holderKeyOf, type HeldItem, itemToEvict } from './connections/fair-share.ts';
export { DEFAULT_LIMITS, type Limits } from './base/limits.ts';

// The object: its relays, its contract, its storage, its turns, its tokens.
export { relaying } from './base/relaying.ts';
export { checkCopy, contractOf, PACKAGE_COPY } from './contract/contract-of.ts';
export { type KeyValues, kvOf, MemoryValues } from './base/key-values.ts';
export { perObject } from './base/per-object.ts';
export { atEndOfTurn, followTransactions } from './base/turns.ts';
export { defineToken } from './base/tokens.ts';
export { prepareAlarm, type SharedAlarm, sharedAlarmOf } from './base/shared-alarm.ts';
export { isRelayName, originOf, relayName } from './routing/relay-names.ts';
