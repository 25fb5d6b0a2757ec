/** Functions as arguments: `callback`. */
import {
  type CallResources,
  type Feature,
  type IsCallback,
  isStandard,
  badMessage,
  type Schema,
  type TVoid,
} from '../../server/feature.ts';
import * as Type from '../../typebox/builders.ts';
import { CallbackArguments } from './server/callback-arguments.ts';
import { disconnectCallbacks, handleReturn } from './server/callback-calls.ts';
import { CallbackParameters, type MethodCallbacks, NAME } from './server/callback-schemas.ts';

export { callbackAt, dropCallback } from './server/callback-tokens.ts';

const callbacks: Feature = {
  name: NAME,
  version: 1,
  messages: {
    return: ([, ...message], { instance, contract, connection }) =>
      handleReturn(message, { instance, contract }, connection),
  },
  references: { Function: (parts, { resources }) => functionsIn(resources).take(parts) },
  compile(method, { input }): MethodCallbacks | undefined {
    const parameters = new CallbackParameters(method, input);
    if (parameters.isEmpty) return undefined;
    return {
      parameters,
      bind(args, on, resources) {
        const functions = resources?.find(NAME) as CallbackArguments | undefined;
        return functions?.bind(args, parameters, on) ?? args;
      },
    };
  },
  onDisconnect: disconnectCallbacks,
};

function functionsIn(resources: CallResources | undefined): CallbackArguments {
  if (!resources) badMessage('Functions as arguments need a WebSocket');
  return (
    (resources.find(NAME) as CallbackArguments | undefined) ??
    resources.add(NAME, new CallbackArguments(resources.target, resources.connection))
  );
}

/** The schema of a function. Its mark is a property, so that two copies of the package understand each other. */
export interface CallbackSchema<
  Parameters extends Schema[] = Schema[],
  Result extends Schema = Schema,
> extends IsCallback {
  '~kind': 'Function';
  type: 'function';
  parameters: Parameters;
  returnType: Result;
}

/**
 * Declares that the client passes a function, which the method can call. The method receives a function that returns a
 * promise. The client passes `callback(fn)`. The result of the client's function is validated when it arrives. If it does
 * not match its schema, the promise rejects with `INVALID_ARGUMENTS`.
 *
 * @param parameters - a schema for each argument that the function takes. The schemas only give the types of the
 *   arguments, and are of TypeBox, or of a library that implements Standard Schema. Default: none.
 * @param result - the schema of the function's result. Default `Type.Void()`, with which the result is ignored.
 * @returns a schema for an argument, for a property of a `Type.Object`, or for the items of a `Type.Array`, at any depth
 * @example
 * load(csv: string, onProgress: (percent: number) => void): void { … }
 * // In the contract:
 * load: [Type.String(), callback([Type.Number()])],
 */
export function callback<Parameters extends Schema[] = [], Result extends Schema = TVoid>(
  parameters: [...Parameters] = [] as unknown as [...Parameters],
  result: Result = Type.Void() as Schema as Result,
): CallbackSchema<Parameters, Result> {
  return Type.Function(parameters.map(inJson), inJson(result), {
    '~callback': true,
    '~feature': callbacks,
    ...(isStandard(result) && { '~result': () => result }),
  }) as Schema as CallbackSchema<Parameters, Result>;
}

/**
 * Returns a schema for use inside a schema of TypeBox. A schema of another library becomes a schema that allows any
 * value.
 */
function inJson(schema: Schema): Schema {
  return isStandard(schema) ? Type.Unknown() : schema;
}
