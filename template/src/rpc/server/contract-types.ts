/**
 * What the compiler makes of a contract: whether it agrees with its class, and if not, why.
 * Imports TypeBox and contract, types only.
 */
import type { Static, TSchema } from 'typebox';
import type { MethodContract } from './contract.ts';

/** Shown by the compiler where a contract and a class disagree. */
interface Mismatch<Details> {
  readonly mismatch: Details;
}

/** `Entries` where it agrees with the methods of `Instance`; elsewhere a `Mismatch` that says why. */
export type CheckedContract<Instance, Entries> = {
  [Name in keyof Entries]: Name extends keyof Instance
    ? Instance[Name] extends (...args: infer Parameters) => unknown
      ? CheckedMethod<Entries[Name], Parameters>
      : Mismatch<'not a method of the class'>
    : Mismatch<'not a method of the class'>;
};

type CheckedMethod<Entry, Parameters extends unknown[]> = Entry extends readonly TSchema[]
  ? CheckedInput<Entry, Parameters>
  : Entry extends { readonly input: infer Input extends readonly TSchema[] }
    ? { readonly input: CheckedInput<Input, Parameters>; readonly readonly?: boolean }
    : MethodContract;

type CheckedInput<
  Input extends readonly TSchema[],
  Parameters extends unknown[],
> = Input['length'] extends Required<Parameters>['length']
  ? {
      [Index in keyof Input]: Index extends keyof Parameters
        ? CheckedArgument<
            Input[Index],
            Parameters[Index],
            undefined extends Parameters[Index] ? true : false
          >
        : never;
    }
  : Mismatch<{ schemas: Input['length']; parametersOfTheMethod: Required<Parameters>['length'] }>;

type CheckedArgument<Schema, Parameter, Optional> = Schema extends TSchema
  ? Static<Schema> extends Parameter
    ? Schema extends { '~optional': true }
      ? Optional extends true
        ? Schema
        : Mismatch<'Type.Optional on a parameter that is required'>
      : Optional extends true
        ? undefined extends Static<Schema>
          ? Schema
          : Mismatch<'the parameter is optional: wrap its schema in Type.Optional'>
        : Schema
    : Mismatch<{ schemaAllows: Static<Schema>; methodTakes: Parameter }>
  : never;
