/**
 * What a feature adds to the core. The core does calls; everything else comes with what a contract names: the entry, the
 * schema or the class carries the record of its feature, and `compileContract` collects the records. See
 * docs/architecture.md.
 */
import type { CallMessage } from '../../wire/messages.ts';
import type { ReferenceOf } from '../../wire/rich-encoder.ts';
import type { CallScope } from '../calls/call-scope.ts';
import type { Target } from '../calls/callee.ts';
import type { MessageContext } from '../calls/frame-run.ts';
import type { Peer } from '../connections/peer.ts';
import type { CompiledMethod, FullEntry } from './contract-entry.ts';

/** Where a reference occurs. */
export interface ReferencePlace extends Target {
  readonly caller: unknown;
  /** The call that the reference is an argument of; `undefined` where it cannot last, such as in a POST. */
  readonly scope: CallScope | undefined;
}

/** Targets of calls besides the object. */
export interface Callees {
  /**
   * @param parts - of the callee, after the name of the method
   * @throws RpcError `FORBIDDEN` for a target that does not exist
   */
  make(parts: readonly unknown[], target: Target, caller: unknown): object;
  /** The name of the class of a target. */
  classNameOf(on: object): string;
  /** The methods of a target; `undefined` for a value that is none. */
  methodsOf(on: unknown): ReadonlyMap<string, CompiledMethod> | undefined;
}

/** What a feature knows of one method, from its entry. */
export interface MethodPart {
  /**
   * Arguments are read and validated while the method runs. So a call that is sent again must not run again, even if the
   * entry of the method says that it changes nothing.
   */
  readonly readsLater?: boolean;
  /** What the method returns, if it can only be subscribed to: `a feed`. */
  readonly returned?: string;
  /** Replaces validated arguments by what the method receives. */
  bind?(args: unknown[], on: object, scope: CallScope | undefined): unknown[];
}

/** The validator of an argument that is no schema of TypeBox, used like the validator of one. */
export interface ArgumentValidator {
  Check(value: unknown): boolean;
  /** The error for a value that does not fit. */
  error(method: string, value: unknown, path: string): Error;
}

/** Every part is optional. A feature that a contract does not name costs nothing. */
export interface Feature {
  readonly name: string;
  /** The form of the record. Another copy of the package may have another one: see `collect`. */
  readonly version: typeof VERSION;
  /** What this feature is built on. */
  readonly needs?: readonly Feature[];
  /**
   * By kind, what handles a client's messages that are not calls.
   *
   * @throws RpcError for a malformed message; the rest of the frame is then ignored
   */
  readonly messages?: Readonly<Record<string, (message: unknown[], context: MessageContext) => void>>;
  /**
   * By tag, what reads a reference in arguments.
   *
   * @throws RpcError `BAD_MESSAGE` for a malformed reference
   */
  readonly references?: Readonly<
    Record<string, (parts: readonly unknown[], place: ReferencePlace) => unknown>
  >;
  /** Selects the parts of results that are sent as references. */
  readonly referenceOf?: ReferenceOf;
  /** Calls of methods of something else than the object. */
  readonly callee?: Callees;
  /** Makes the validator of an argument whose schema has the record of this feature, and is not TypeBox's. */
  readonly argument?: (
    schema: object,
    method: string,
    index: number,
  ) => ArgumentValidator | undefined;
  /**
   * Compiles what the feature needs of a method; called for each method of a contract that names the feature.
   *
   * @throws TypeError for an entry that the feature cannot serve
   */
  readonly compile?: (method: string, entry: FullEntry) => MethodPart | undefined;
  /** Before a call waits for the calls whose results it takes. */
  readonly waits?: (call: CallMessage, scope: CallScope) => void;
  /** After a call that may have changed the object, and after a connection has opened or ended. */
  readonly changed?: (instance: object) => void;
  /** Before the messages of a connection that hibernated: restores what was kept for it. */
  readonly wakes?: (instance: object, peer: Peer) => void;
  /** After a connection has ended. */
  readonly ended?: (instance: object, peer: Peer, isFinal: boolean) => void;
  /** After a capability was revoked: see `sealOf`. */
  readonly revoked?: (instance: object, seal: string) => void;
}

const VERSION = 1;

/** Something in a contract that brings a feature: an entry, a schema, or a class. */
export interface Featured {
  readonly '~feature'?: Feature;
}

/** The feature that something in a contract brings. */
export function featureOf(bringing: unknown): Feature | undefined {
  return (bringing as Featured | undefined)?.['~feature'];
}

/**
 * Adds a feature, and those that it is built on, to a set.
 *
 * @throws TypeError for the record of another version of the package
 */
export function collect(feature: Feature, features: Set<Feature>): void {
  if (feature.version !== VERSION) {
    const problem = `${String(feature.name)} is from another version of lumenize-rpc`;
    throw new TypeError(`${problem}: install one version (npm ls lumenize-rpc)`);
  }
  for (const one of feature.needs ?? []) collect(one, features);
  features.add(feature);
}
