/** Capabilities: objects that a method returns, and whose methods a client can call. */
import type { Feature } from '../../server/contract/compiled.ts';
import { compiledCapability, isCapability } from '../../server/contract/entries.ts';
import { invalidKind } from '../../server/schemas/argument-errors.ts';
import { createCapability, placeIn, placeOf, encodeCapability } from './references.ts';

export const capabilities: Feature = {
  name: 'capabilities',
  version: 1,
  references: {
    Capability: (parts, { instance, contract, caller }) =>
      createCapability(parts, instance, contract, caller),
  },
  referenceOf: encodeCapability,
  callee: {
    make: (parts, { instance, contract }, caller) =>
      createCapability(parts, instance, contract, caller),
    classNameOf: (on) => placeOf(on).capability.name,
    methodsOf: (on) => placeIn(on)?.capability.methods,
  },
  argument(schema) {
    if (!isCapability(schema)) return undefined;
    const { name } = compiledCapability(schema);
    return {
      Check: (value) => value instanceof schema,
      error: (method, value, path) => invalidKind(method, path, `a capability ${name}`, value),
    };
  },
};
