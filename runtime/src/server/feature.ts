/** All that a feature may use of the core: features import nothing else of `server/`. */
export { FEED, type IsCallback, type StreamOf, isFeed, isStreamOf } from './base/brands.ts';
export { readsCaller, runAsCaller } from './base/caller.ts';
export { CAPABILITY_CLASS, isCapability, rememberCapability } from './base/capability-classes.ts';
export { type KeyRange, type KeyValues, kvOf } from './base/key-values.ts';
export type { Limits } from './base/limits.ts';
export { rejection } from './base/rejection.ts';
export { defineToken } from './base/tokens.ts';
export { atEndOfTurn, followTransactions } from './base/turns.ts';
export { checkValue, sizeOf, weightOf } from './calls/arguments.ts';
export { outcomeOf, reportCall } from './calls/call-reports.ts';
export { invoke, prepareReusedCall, runWithOnError, throwReplacement } from './calls/invocation.ts';
export { checkOnNativeCalls } from './calls/native-calls.ts';
export {
  disposeUnread,
  isReadable,
  isStream,
  iteratorOf,
  logError,
} from './calls/results/iterable-results.ts';
export { addHint, checkNotStreamed } from './calls/results/unsendable.ts';
export {
  type BoundMethod,
  capabilityTokenOf,
  resolvedCallee,
  resolverOf,
  unknownCapabilityError,
} from './calls/targets.ts';
export { type HeldItem, clientKeyOf, itemToEvict } from './connections/fair-share.ts';
export {
  connectionOfClient,
  hibernatingConnectionsOf,
  openConnectionsOf,
} from './connections/sockets.ts';
export type { CheckedContract, CheckedInput, EntryKindsOf } from './contract/checked-types.ts';
export { checkListed, compileMethods } from './contract/compile-contract.ts';
export type { Connection } from './contract/connection.ts';
export { PACKAGE_COPY, checkCopy, contractOf } from './contract/contract-of.ts';
export {
  type Contract,
  type MethodEntry,
  type MethodOptions,
  type Returns,
  type Schemas,
  compiledCapability,
  methodEntry,
} from './contract/entries.ts';
export { makeValidator } from './contract/make-validator.ts';
export type { PeerLog } from './contract/options.ts';
export type {
  ArgumentSchema,
  CallResource,
  CallResources,
  CapabilityClass,
  CompiledCapability,
  CompiledContract,
  CompiledMethod,
  EarlierResults,
  Feature,
  FeatureMethod,
  Featured,
  MessageContext,
  MethodDefinition,
  Target,
} from './contract/types.ts';
export { explanations } from './diagnostics/explanations.ts';
export type { WithCtx } from './journal/journal.ts';
export { withFilledHoles } from './schemas/array-holes.ts';
export { pathTo } from './schemas/path-to.ts';
export {
  type Validation,
  type Validator,
  invalidArgument,
  validated,
  validatorOfKind,
} from './schemas/validator.ts';
