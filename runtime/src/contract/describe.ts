/** Writes the contracts of classes as plain data. It runs where the classes are: in the Workers runtime. */
import { isStreamOf } from '../server/base/brands.ts';
import { isCapability } from '../server/base/capability-classes.ts';
import { compiledCapability } from '../server/contract/entries.ts';
import { checkCopy, contractOf } from '../server/contract/contract-of.ts';
import { mayBeUndefined } from '../http/openapi/source-schemas.ts';
import { sentArguments } from '../http/parameters.ts';
import type {
  ArgumentSchema,
  CapabilityClass,
  CompiledCapability,
  CompiledContract,
  CompiledMethod,
} from '../server/contract/types.ts';
import type {
  ClassContract,
  WrittenArgument,
  WrittenCapability,
  WrittenMethod,
  WrittenMethods,
} from './written.ts';
import { writtenSchema } from './written-schema.ts';

/**
 * @param exported - the exports of a Worker's main module
 * @returns the contracts of all classes that `lumenizeRpcDO` has returned, by the names of the classes
 * @throws TypeError for a class of another copy of the package
 */
export function describeClasses(
  exported: Readonly<Record<string, unknown>>,
): Record<string, ClassContract> {
  const found: Record<string, ClassContract> = {};
  for (const name of Object.keys(exported).toSorted()) {
    const { [name]: value } = exported;
    const prototype = typeof value === 'function' ? (value.prototype as unknown) : undefined;
    if (typeof prototype !== 'object' || prototype === null) continue;
    checkCopy(prototype);
    const contract = contractOf(prototype);
    if (contract) found[name] = describeContract(contract);
  }
  return found;
}

export function describeContract({ methods, capabilities }: CompiledContract): ClassContract {
  const described = [...capabilities].toSorted(byName).map(describeCapability);
  return {
    methods: describeMethods(methods),
    ...(described.length > 0 && { capabilities: Object.fromEntries(described) }),
  };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function describeCapability([name, { address, methods }]: readonly [
  string,
  CompiledCapability,
]): readonly [string, WrittenCapability] {
  return [name, { address: address.map(describeArgument), methods: describeMethods(methods) }];
}

function describeMethods(methods: ReadonlyMap<string, CompiledMethod>): WrittenMethods {
  return Object.fromEntries(
    [...methods].toSorted(byName).map(([name, method]) => [name, describeMethod(method)]),
  );
}

function describeMethod(method: CompiledMethod): WrittenMethod {
  const { kind, readonly, volatile, returns, output, key } = method;
  // A client that takes part in a presence sends its arguments, over a WebSocket alone.
  const input = kind === 'presence' ? method.input : sentArguments(method);
  return {
    kind: kind !== 'call' ? kind : readonly ? 'read' : volatile ? 'volatile' : kind,
    input: input.map(describeArgument),
    ...(output && { output: writtenSchema(output) }),
    ...(returns.length > 0 && { returns: returns.map(nameOf).toSorted() }),
    ...(key !== undefined && { key }),
  };
}

function describeArgument(schema: ArgumentSchema): WrittenArgument {
  if (isStreamOf(schema)) return { stream: true, schema: writtenSchema(schema['~streamOf']) };
  if (isCapability(schema)) return { capability: nameOf(schema) };
  return {
    ...(mayBeUndefined(schema) && { optional: true }),
    schema: writtenSchema(schema),
  };
}

function nameOf(Class: CapabilityClass): string {
  return compiledCapability(Class)?.name ?? Class.name;
}
