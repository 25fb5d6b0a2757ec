/** The OpenAPI document of objects: what `openApi` makes of their contracts. */
import {
  type ClassWithContract,
  type CompiledContract,
  describeContract,
} from '../server/contract/description.ts';
import { Components } from './openapi/components.ts';
import { pathItemOf } from './openapi/operations.ts';
import { writeJson } from './values.ts';
import { PROBLEM_SCHEMA, SHARED } from './openapi/shared.ts';

/** What the application says in its document, besides its contracts. */
export interface OpenApiSettings {
  /** The title and the version of the API, and others that OpenAPI has. Default: `Durable Objects`, version `1.0.0`. */
  info?:
    | { readonly title: string; readonly version: string; readonly [more: string]: unknown }
    | undefined;
  /** The addresses of the Worker. Default: where the document is. */
  servers?: readonly { readonly url: string; readonly [more: string]: unknown }[] | undefined;
  /** By name, how callers say who they are, such as `{ login: { type: 'http', scheme: 'bearer' } }`. Default: none. */
  securitySchemes?: Readonly<Record<string, object>> | undefined;
  /** Which of `securitySchemes` every call needs, such as `[{ login: [] }]`. Default: none. */
  security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /**
   * Makes the JSON Schema of a schema in its own way, such as Zod Mini's by `z.toJSONSchema`. It is called for each
   * argument and each `output`; for `undefined`, the schema's own way counts. Default: none.
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
 * Makes the OpenAPI document of objects from their contracts: what `routeHttpRequest` answers, for generators of clients,
 * documentation and tools. It needs no server, so a script can write the document to a file.
 *
 * Methods that plain HTTP cannot call are left out: those with a callback, a stream or a capability among their arguments or
 * results, and those with a required argument that JSON does not have.
 *
 * @param classes - by the name of its binding, each class that `lumenizeRpcDO` has returned, or what `compileContract` has
 *   returned
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
    if (!contract) throw new TypeError(`openApi: ${binding} is not a class of lumenizeRpcDO`);
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
  // Plain data: without what is undefined, and with bigints as texts.
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
