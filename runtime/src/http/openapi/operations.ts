/** Describes the operations of a method: the requests that call it, and the responses. */
import type { ContractDescription, MethodDescription } from '../../server/contract/description.ts';
import { isStandard } from '../../server/contract/description.ts';
import {
  type JsonSchema,
  parametersOf,
  resolved,
  sentArguments,
  takesObject,
  takesText,
} from '../parameters.ts';
import type { Components } from './components.ts';
import {
  IDEMPOTENCY_KEY,
  INSTANCE,
  JSON_TYPE,
  LAST_EVENT_ID,
  PROBLEM,
  REPLAYED,
} from './shared.ts';
import { mayBeUndefined, sourceSchemaOf, type ToJsonSchema } from './source-schemas.ts';

/** A method, and the parts of the document for its schemas. */
export interface DocumentedMethod {
  readonly binding: string;
  readonly contract: ContractDescription;
  readonly method: MethodDescription;
  readonly components: Components;
  readonly toJsonSchema: ToJsonSchema | undefined;
}

/** An argument, or a property of the one object that a method takes. */
interface Argument {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The original schema, by which plain HTTP reads a query. */
  readonly source: JsonSchema;
}

/** The arguments of a method, in each form in which they can be sent. */
interface Sent {
  /** The argument in the body of a POST; `undefined` for a method without arguments. */
  readonly body: Argument | undefined;
  /** The arguments in the query of a GET, by name. */
  readonly query: ReadonlyMap<string, Argument>;
}

/**
 * @returns the path item; `undefined` for a method that takes or returns a value that JSON lacks, such as a callback or
 *   a capability
 */
export function pathItemOf(documented: DocumentedMethod): object | undefined {
  const { method, binding, contract } = documented;
  const isCalled = method.kind === 'call' || method.kind === 'live';
  if (method.returns.length > 0) return undefined;
  const sent = argumentsOf(documented);
  if (!sent) return undefined;
  const result = resultOf(documented);
  const id = `${binding}_${method.name}`;
  const common = {
    tags: [binding],
    summary: method.title,
    description: method.description,
  };
  const isKeyed = !method.readonly && !method.volatile && contract.journal;
  const parameters = [...sent.query].map(([name, argument]) => queryParameter(name, argument));
  const isFollowed = method.kind !== 'call';
  const get = {
    operationId: id,
    ...common,
    parameters: listed(isFollowed ? [LAST_EVENT_ID, ...parameters] : parameters),
    responses: isFollowed ? followedAnswersOf(result, isCalled) : answersOf(result, false),
  };
  const post = {
    operationId: id,
    ...common,
    parameters: listed(isKeyed ? [IDEMPOTENCY_KEY] : []),
    requestBody: sent.body && {
      required: sent.body.required,
      content: { [JSON_TYPE]: { schema: sent.body.schema } },
    },
    responses: answersOf(result, isKeyed),
  };
  // A POST is also described: generated clients have types for its body, which is untyped JSON in a query.
  const needsPost = parameters.some(({ schema }) => 'contentSchema' in schema);
  if (!isCalled || (method.readonly && !needsPost)) return { parameters: [INSTANCE], get };
  if (!method.readonly) return { parameters: [INSTANCE], post };
  return { parameters: [INSTANCE], get, post: { ...post, operationId: `${id}_post` } };
}

function listed(parameters: object[]): object[] | undefined {
  return parameters.length > 0 ? parameters : undefined;
}

function queryParameter(name: string, { schema, required, source }: Argument): QueryParameter {
  const isPlain = takesText(source) || /^(integer|number|boolean)$/.test(String(source['type']));
  if (isPlain) return { name, in: 'query', required, schema };
  // The keyword `content` is not used: generators of clients leave such a parameter out, or do not write JSON.
  const text = { type: 'string', contentMediaType: JSON_TYPE, contentSchema: schema };
  return { name, in: 'query', required, description: 'As JSON.', schema: text };
}

interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** @returns the arguments; `undefined` for arguments that JSON lacks */
export function argumentsOf({
  method,
  binding,
  components,
  toJsonSchema,
}: DocumentedMethod): Sent | undefined {
  const { name } = method;
  const input = sentArguments(method);
  const list: Argument[] = [];
  for (const [index, argument] of input.entries()) {
    const isSchema =
      isStandard(argument) || (typeof argument === 'object' && !('~streamOf' in argument));
    const source = isSchema ? sourceSchemaOf(argument, 'input', toJsonSchema) : { not: {} };
    const schema = components.add(
      source,
      'input',
      `${binding}_${name}_${input.length > 1 ? index : 'input'}`,
    );
    const required = !isSchema || !mayBeUndefined(argument);
    if (schema) list.push({ schema, required, source: resolved(source) });
    else if (required) return undefined;
    // If an argument cannot be sent, all later arguments cannot be sent either.
    else break;
  }
  const [only] = list;
  if (!only) return { body: undefined, query: new Map() };
  const { isObject, named } = parametersOf(method);
  if (isObject && takesObject(only.source)) return { body: only, query: propertiesOf(only) };
  if (isObject || !named) {
    const all = listOf(list);
    return { body: all, query: new Map([['args', all]]) };
  }
  const names = [...named.keys()].slice(0, list.length);
  const query = new Map(names.map((key, index) => [key, list[index] as Argument]));
  return { body: objectOf(query), query };
}

function listOf(list: readonly Argument[]): Argument {
  const minItems = list.findLastIndex((argument) => argument.required) + 1;
  const prefixItems = list.map(({ schema }) => schema);
  const schema = { type: 'array', prefixItems, minItems, maxItems: list.length };
  return { schema, required: minItems > 0, source: schema };
}

function objectOf(named: ReadonlyMap<string, Argument>): Argument {
  const entries = [...named];
  const required = entries.flatMap(([name, argument]) => (argument.required ? [name] : []));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, argument]) => [name, argument.schema])),
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  };
  return { schema, required: required.length > 0, source: schema };
}

/** Returns the query of a method that takes one object: its properties, or the object as JSON. */
function propertiesOf(only: Argument): ReadonlyMap<string, Argument> {
  const { properties, required = [] } = only.schema as Properties;
  const { properties: sources } = only.source as Properties;
  if (!properties) return new Map([['input', only]]);
  return new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      {
        schema,
        required: only.required && required.includes(name),
        source: sources?.[name] ?? schema,
      },
    ]),
  );
}

interface Properties {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Result {
  /** The schema of the result; `undefined` for a method that returns nothing. */
  readonly schema: JsonSchema | undefined;
  /** The original schema. */
  readonly source: JsonSchema;
  readonly mayBeUndefined: boolean;
}

export function resultOf({ method, binding, components, toJsonSchema }: DocumentedMethod): Result {
  const { output, name, kind } = method;
  if (!output) return { schema: {}, source: {}, mayBeUndefined: true };
  const source = sourceSchemaOf(output, 'output', toJsonSchema);
  const schema = components.add(source, 'output', `${binding}_${name}_output`);
  if (kind !== 'presence') return { schema, source, mayBeUndefined: mayBeUndefined(output) };
  const present = {
    type: 'object',
    properties: { key: { type: 'string' }, value: schema ?? {} },
    required: ['key', 'value'],
  };
  return { schema: { type: 'array', items: present }, source, mayBeUndefined: false };
}

/** Returns the responses of a call. */
function answersOf({ schema, mayBeUndefined: isOptional }: Result, isKeyed: boolean): object {
  const headers = isKeyed ? REPLAYED : undefined;
  const nothing = { description: 'The method returned `undefined`.', headers };
  const content = { [JSON_TYPE]: { schema } };
  return {
    200: schema && { description: 'The result.', headers, content },
    204: isOptional || !schema ? nothing : undefined,
    default: PROBLEM,
  };
}

/** Returns the responses of a GET that may follow: one value if the method can be called, and events. */
function followedAnswersOf({ schema = {} }: Result, isCalled: boolean): object {
  const description = isCalled
    ? 'The value, or an event with each value.'
    : 'Events with JSON data.';
  const content = {
    ...(isCalled && { [JSON_TYPE]: { schema } }),
    'text/event-stream': { schema },
  };
  const ended = { description: 'The events have ended: do not connect again.' };
  return { 200: { description, content }, 204: ended, default: PROBLEM };
}
