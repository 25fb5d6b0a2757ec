/** Makes the OpenAPI document of objects from their contracts. */
import {
  type ClassWithContract,
  type CompiledContract,
  describeContract,
} from '../server/contract/description.ts';
import { Components } from './openapi/components.ts';
import { pathItemOf } from './openapi/operations.ts';
import { writeJson } from './values.ts';
import { PROBLEM_SCHEMA, SHARED } from './openapi/shared.ts';

/** The parts of the document that the contracts do not contain. */
export interface OpenApiSettings {
  /**
   * The title and the version of the API, and other properties of OpenAPI's `info`. Default: `Durable Objects`, version
   * `1.0.0`.
   */
  info?:
    | { readonly title: string; readonly version: string; readonly [more: string]: unknown }
    | undefined;
  /** The addresses of the Worker. Default: the address of the document. */
  servers?: readonly { readonly url: string; readonly [more: string]: unknown }[] | undefined;
  /**
   * The ways in which callers can log in, by name, such as `{ login: { type: 'http', scheme: 'bearer' } }`. Default:
   * none.
   */
  securitySchemes?: Readonly<Record<string, object>> | undefined;
  /** The `securitySchemes` that every call needs, such as `[{ login: [] }]`. Default: none. */
  security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /**
   * A function that returns the JSON Schema of a schema, such as `z.toJSONSchema` for Zod Mini. It is called for each
   * argument and each `output`. If it returns `undefined`, the schema's own JSON Schema is used. Default: none.
   */
  toJsonSchema?: ((schema: object) => object | undefined) | undefined;
}

/** The options of `openApi`. */
export interface OpenApiOptions extends OpenApiSettings {
  /** The beginning of the paths. Default `/__rpc`. */
  prefix?: string | undefined;
}

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers?: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly security?: readonly object[];
}

/**
 * Makes the OpenAPI document of objects from their contracts. It describes the requests that `routeHttpRequest`
 * answers, for generators of clients, for documentation and for tools. It needs no server, so a script can write the
 * document to a file.
 *
 * Methods that plain HTTP cannot call are left out: those with a callback, a stream or a capability among their
 * arguments or results, and those with a required argument that JSON does not have.
 *
 * @param classes - the classes, by the names of their bindings: each is a class that `lumenizeRpcDO` has returned, or
 *   the result of `compileContract`
 * @returns a document of OpenAPI 3.1, as plain data
 * @throws TypeError for a class without a contract
 * @example
 * const document = openApi({ COUNTER: Counter }, { info: { title: 'Counter', version: '1.2.0' } });
 * writeFileSync('openapi.json', JSON.stringify(document, null, 2));
 */
export function openApi(
  classes: Readonly<Record<string, ClassWithContract | CompiledContract>>,
  options: OpenApiOptions = {},
): OpenApiDocument {
  const { info, servers, securitySchemes, security, toJsonSchema, prefix = '/__rpc' } = options;
  const components = new Components({ Problem: PROBLEM_SCHEMA }, '#/components/schemas/');
  const paths: Record<string, object> = {};
  const segments = prefix.split('/').filter(Boolean);
  for (const [binding, Class] of Object.entries(classes)) {
    const contract = 'methods' in Class ? Class : describeContract(Class);
    if (!contract)
      throw new TypeError(`openApi: ${binding} is not a class that lumenizeRpcDO returned`);
    for (const method of contract.methods.values()) {
      const item = pathItemOf({ binding, contract, method, components, toJsonSchema });
      if (item) paths[`/${[...segments, binding, '{instance}', method.name].join('/')}`] = item;
    }
  }
  const document = {
    openapi: '3.1.1',
    info: info ?? { title: 'Durable Objects', version: '1.0.0' },
    servers,
    tags: Object.keys(classes).map((name) => ({ name })),
    paths,
    components: componentsFor(paths, components, securitySchemes),
    security,
  };
  // The document becomes plain data: properties that are undefined are left out, and bigints become texts.
  return JSON.parse(writeJson(document) ?? '') as OpenApiDocument;
}

/** Returns the components that the paths refer to. */
function componentsFor(
  paths: object,
  components: Components,
  securitySchemes: object | undefined,
): object {
  const text = writeJson(paths) ?? '';
  const { responses, ...named } = SHARED;
  const used = Object.entries(named).map(([kind, all]) => [
    kind,
    Object.fromEntries(
      Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    ),
  ]);
  return {
    ...(Object.fromEntries(used) as object),
    responses,
    schemas: components.all(),
    securitySchemes,
  };
}
