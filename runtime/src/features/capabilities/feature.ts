/** Capabilities: objects that a method returns, and whose methods a client can call. */
import type { Feature } from '../../server/contract/compiled.ts';
import { compiledCapability, isCapability } from '../../server/contract/entries.ts';
import { unfit } from '../../server/schemas/argument-errors.ts';
import { makeCapability, placeIn, placeOf, takeCapability } from './seals.ts';

export const capabilities: Feature = {
  name: 'capabilities',
  version: 1,
  references: {
    Capability: (parts, { instance, contract, caller }) =>
      makeCapability(parts, instance, contract, caller),
  },
  referenceOf: takeCapability,
  callee: {
    make: (parts, { instance, contract }, caller) =>
      makeCapability(parts, instance, contract, caller),
    classNameOf: (on) => placeOf(on).capability.name,
    methodsOf: (on) => placeIn(on)?.capability.methods,
  },
  argument(schema) {
    if (!isCapability(schema)) return undefined;
    const { name } = compiledCapability(schema);
    return {
      Check: (value) => value instanceof schema,
      error: (method, value, path) => unfit(method, path, `a capability ${name}`, value),
    };
  },
};
