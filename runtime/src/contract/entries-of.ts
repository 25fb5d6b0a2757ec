/** Makes the entries of a contract from the written contract, so that a test can serve a class by an old contract. */
import { callback } from '../features/callbacks/feature.ts';
import { events } from '../features/feeds/feature.ts';
import { live } from '../features/live/feature.ts';
import { presence } from '../features/presence/feature.ts';
import { rows, stream } from '../features/streams/feature.ts';
import { streamOf } from '../features/argument-streams/feature.ts';
import type { CapabilityClass } from '../server/base/capability-classes.ts';
import type { Schema } from '../server/base/standard-schema.ts';
import { type Contract, read, volatile } from '../server/contract/entries.ts';
import type { ArgumentSchema, CompiledContract } from '../server/contract/types.ts';
import { TYPES } from '../server/schemas/keywords.ts';
import { Any, Optional } from '../typebox/builders.ts';
import { readSchema } from './written-schema.ts';
import {
  type ClassContract,
  REFINED,
  UNREADABLE,
  type WrittenArgument,
  type WrittenMethod,
  type WrittenSchema,
} from './written.ts';

/** @param known - the present contract. Methods and classes of capabilities that it no longer has are left out. */
export function entriesOf({ methods }: ClassContract, known: CompiledContract): Contract {
  const classOf = (name: string): CapabilityClass | undefined =>
    known.capabilities.get(name)?.Class as CapabilityClass | undefined;
  const left = Object.entries(methods).filter(
    ([name]) => known.methods.has(name) || known.internal.has(name),
  );
  return Object.fromEntries(left.map(([name, method]) => [name, entryOf(method, classOf)]));
}

type ClassOf = (name: string) => CapabilityClass | undefined;

function entryOf(
  { kind, input, output, returns = [], key }: WrittenMethod,
  classOf: ClassOf,
): Contract[string] {
  const schemas = input.map((argument) => argumentOf(argument, classOf));
  const options = {
    returns: returns.map(classOf).filter((Class) => Class !== undefined),
    output: output === undefined ? undefined : schemaOf(output),
  };
  switch (kind) {
    case 'read':
      return read(schemas, options);
    case 'volatile':
      return volatile(schemas, options);
    case 'live':
      return live(schemas, { ...options, key });
    case 'presence':
      return presence(schemas, options);
    case 'events':
      return events(schemas, options);
    case 'stream':
      return stream(schemas, options);
    case 'rows':
      return rows(key ?? '', [...schemas, Optional(Any())], options);
    default:
      return { input: schemas, ...options };
  }
}

function argumentOf(
  { optional, schema = true, stream: isStream, capability }: WrittenArgument,
  classOf: ClassOf,
): ArgumentSchema {
  if (capability !== undefined) return classOf(capability) ?? Any();
  const made = schemaOf(schema);
  if (isStream) return streamOf(made);
  return optional ? Optional(made as never) : made;
}

function schemaOf(schema: WrittenSchema): Schema {
  return withFunctions(readSchema(schema)) as Schema;
}

/** Returns a schema with callbacks in place of functions. Parts that JSON Schema cannot check accept any value. */
function withFunctions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFunctions);
  if (schema === true) return {};
  if (typeof schema !== 'object' || schema === null) return schema;
  const { [REFINED]: _, ...fields } = schema as Record<string, unknown>;
  const { type } = fields;
  if (UNREADABLE in fields) return {};
  if (type === 'function') {
    const { parameters = [], returnType } = fields as {
      parameters?: unknown[];
      returnType?: unknown;
    };
    return callback(parameters.map(withFunctions) as Schema[], withFunctions(returnType) as Schema);
  }
  if (typeof type === 'string' && !Object.hasOwn(TYPES, type)) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([keyword, held]) => [keyword, withFunctions(held)]),
  );
}
