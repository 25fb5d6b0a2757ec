/** Describes the contract of a class for doors of the Worker, such as `lumenize-rpc/http`. */
import type { HasContract, MethodKind } from '../../wire/brands.ts';
import type { Limits } from '../base/limits.ts';
import type { Schema } from '../base/standard-schema.ts';
import { contractOf } from './contract-of.ts';
import type { ArgumentSchema, CapabilityClass } from './types.ts';

export type { CompiledContract } from './types.ts';
export { isStandard, type StandardSchema } from '../base/standard-schema.ts';

/** A class that `lumenizeRpcDO` has returned. */
export type ClassWithContract = abstract new (...args: never[]) => HasContract<unknown>;

export interface MethodDescription {
  readonly name: string;
  readonly kind: MethodKind;
  /** True if the method changes nothing. */
  readonly readonly: boolean;
  /** True if the method changes only data in memory, so no answer is stored. */
  readonly volatile: boolean;
  /** The schemas of the arguments. */
  readonly input: readonly ArgumentSchema[];
  /** The classes of the capabilities in the values that the method sends. */
  readonly returns: readonly CapabilityClass[];
  /** The schema of a result, a live value, an event, an item or a row; `undefined` if the entry has none. */
  readonly output: Schema | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

export interface ContractDescription {
  readonly methods: ReadonlyMap<string, MethodDescription>;
  readonly limits: Pick<Limits, 'frameSize'>;
  /** True if answers are stored, so that a call which arrives twice runs once. */
  readonly journal: boolean;
  /** The handlers of features' messages, by the kind of the message. */
  readonly messages: Pick<ReadonlyMap<unknown, unknown>, 'has'>;
}

/** @returns `undefined` for a class that `lumenizeRpcDO` has not returned */
export function describeContract(Class: { prototype: object }): ContractDescription | undefined {
  return contractOf(Class.prototype);
}
