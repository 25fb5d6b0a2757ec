/** Makes tools and resources from a contract. The generator of the OpenAPI document writes their schemas. */
import type { Resource, Tool } from '@modelcontextprotocol/server';
import type { ContractDescription, MethodDescription } from '../../server/contract/description.ts';
import { Components } from '../openapi/components.ts';
import { argumentsOf, type DocumentedMethod, resultOf } from '../openapi/operations.ts';
import type { ToJsonSchema } from '../openapi/source-schemas.ts';
import { type JsonSchema, resolved, takesObject } from '../parameters.ts';
import { writeJson } from '../values.ts';

/** A tool, and the method that it calls. */
export interface OfferedTool {
  readonly tool: Tool;
  /** True if the arguments have no names, so that a list of them is sent, as `arguments`. */
  readonly takesList: boolean;
  /** Turns a result into structured content, which is an object; `undefined` for an entry without `output`. */
  readonly structured: ((result: unknown) => object) | undefined;
}

/** A live value, and its method. */
export interface OfferedResource {
  readonly resource: Resource;
  readonly method: string;
}

/** The tools and resources of a contract. */
export interface OfferedMethods {
  /** The tools, by the name of the method. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The resources, by URI. */
  readonly resources: ReadonlyMap<string, OfferedResource>;
}

/** The name of the list of arguments that have no names. */
export const LIST = 'arguments';

/** The name of a result that is not an object. The SDK uses the same name. */
const RESULT = 'result';

/** The beginning of references to the definitions of a schema. */
const PLACE = '#/$defs/';

export function offeredMethods(
  contract: ContractDescription,
  binding: string,
  toJsonSchema: ToJsonSchema | undefined,
): OfferedMethods {
  const tools = new Map<string, OfferedTool>();
  const resources = new Map<string, OfferedResource>();
  for (const method of contract.methods.values()) {
    const { name, kind, title, returns } = method;
    // An agent cannot subscribe to a method, and cannot use a capability.
    if ((kind !== 'call' && kind !== 'live') || returns.length > 0) continue;
    const components = new Components({}, PLACE);
    const documented = { binding, contract, method, components, toJsonSchema };
    const sent = argumentsOf(documented);
    if (!sent) continue;
    const { body } = sent;
    const takesList = body?.schema['type'] === 'array';
    const description = method.description ?? describe(method, binding, sent.query);
    const input = takesList
      ? wrapped(LIST, body.schema, body.required)
      : (body?.schema ?? { additionalProperties: false });
    const output = outputOf({ ...documented, components: new Components({}, PLACE) });
    const tool = {
      name,
      title,
      description,
      inputSchema: standalone(input, components),
      outputSchema: output?.schema,
      annotations: { readOnlyHint: method.readonly, idempotentHint: method.readonly },
    };
    tools.set(name, {
      tool: plain(tool) as Tool,
      takesList,
      structured: output?.structured,
    });
    if (kind !== 'live' || body?.required) continue;
    const uri = `live:${encodeURIComponent(name)}`;
    const resource = { uri, name, title, description, mimeType: 'application/json' };
    resources.set(uri, { resource: plain(resource) as Resource, method: name });
  }
  return { tools, resources };
}

/** Makes a description for a method whose entry has no description, from the facts in the contract. */
function describe(
  { name, readonly }: MethodDescription,
  binding: string,
  named: ReadonlyMap<string, unknown>,
): string {
  const names = [...named.keys()].filter((key) => key !== 'args' && key !== 'input');
  const given = names.length > 0 ? `, with ${names.join(', ')}` : '';
  return `${readonly ? 'Reads' : 'Calls'} ${name} of ${binding}${given}.`;
}

function outputOf(
  documented: DocumentedMethod,
): { schema: JsonSchema; structured(result: unknown): object } | undefined {
  if (!documented.method.output) return undefined;
  const { schema, source, mayBeUndefined } = resultOf(documented);
  if (!schema) return undefined;
  const { components } = documented;
  if (!mayBeUndefined && takesObject(resolved(source))) {
    return { schema: standalone(schema, components), structured: (result) => result as object };
  }
  return {
    schema: standalone(wrapped(RESULT, schema, !mayBeUndefined), components),
    structured: (result) => (result === undefined ? {} : { [RESULT]: result }),
  };
}

/** Returns the schema of an object with one property. */
function wrapped(name: string, schema: JsonSchema, required: boolean): JsonSchema {
  return {
    properties: { [name]: schema },
    required: required ? [name] : undefined,
    additionalProperties: false,
  };
}

/** Returns a schema of an object, with its definitions. */
function standalone(schema: JsonSchema, components: Components): JsonSchema {
  const definitions = components.all();
  const hasDefinitions = Object.keys(definitions).length > 0;
  return { ...schema, type: 'object', ...(hasDefinitions && { $defs: definitions }) };
}

/** Returns plain data: properties that are undefined are left out, and bigints become texts. */
function plain(value: object): unknown {
  return JSON.parse(writeJson(value) ?? '') as unknown;
}
