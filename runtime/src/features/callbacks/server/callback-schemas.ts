/**
 * Finds the places in a method's arguments where a client may pass functions, and the schemas of their results. In a
 * contract, `callback` marks a function. It can be an argument, a property of a `Type.Object`, or the items of a
 * `Type.Array`, at any depth.
 */
import {
  type CompiledMethod,
  type FeatureMethod,
  isStandard,
  makeValidator,
  type Schema as AnySchema,
  validated,
} from '../../../server/feature.ts';
import { propertyPath } from '../../../wire/values/paths.ts';

/** The name of the feature. Its data of a method and of a running call are stored under this name. */
export const NAME = 'callbacks';

/** A function that a method takes: its place in the arguments, and the check of its result. */
export interface CallbackParameter {
  readonly method: string;
  /** The path in the method's arguments, such as `[0].onProgress`, or `[1][]` for items. */
  readonly path: string;
  /**
   * Validates a result of the callback.
   *
   * @returns the result; `undefined` if its schema is `Type.Void`
   * @throws RpcError `INVALID_ARGUMENTS` for a result of another type
   */
  checkResult(answer: unknown): unknown;
}

/** The data of a method: the places in its arguments that may be functions. */
export interface MethodCallbacks extends FeatureMethod {
  readonly parameters: CallbackParameters;
}

/** Returns the callback of a method at a path; `undefined` if the contract no longer has it. */
export function callbackParameterAt(
  method: CompiledMethod | undefined,
  path: string,
): CallbackParameter | undefined {
  return (method?.features?.get(NAME) as MethodCallbacks | undefined)?.parameters.at(path);
}

/** Returns the replacement for a function that was passed. */
export type Replace = (
  passed: (...args: never[]) => unknown,
  parameter: CallbackParameter,
) => unknown;

/** Returns a value, or a copy of it whose functions are replaced. */
type Bind = (value: unknown, put: Replace) => unknown;

/** The parts of a schema that lead to functions. */
interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  returnType?: AnySchema;
  /** Returns the schema of the result, if it is of another library than TypeBox. */
  '~result'?: () => AnySchema;
}

/** The callback places of one method. */
export class CallbackParameters {
  readonly #parameters = new Map<string, CallbackParameter>();
  readonly #binds: readonly (Bind | undefined)[];

  /** @param schemas - the schemas of the arguments, which `checkSchema` has checked */
  constructor(method: string, schemas: readonly unknown[]) {
    this.#binds = schemas.map((schema, index) =>
      this.#bindOf(method, schema as Schema, `[${index}]`),
    );
  }

  get isEmpty(): boolean {
    return this.#parameters.size === 0;
  }

  at(path: string): CallbackParameter | undefined {
    return this.#parameters.get(path);
  }

  /**
   * Returns arguments whose functions are replaced. An object or array that contains a function is copied, since
   * it may occur in two places where the function has different result types.
   *
   * @param args - the arguments, already validated
   */
  bind(args: readonly unknown[], put: Replace): unknown[] {
    return args.map((arg, index) => this.#binds[index]?.(arg, put) ?? arg);
  }

  #bindOf(method: string, schema: Schema, path: string): Bind | undefined {
    if (isStandard(schema)) return undefined;
    const { type, properties, items, returnType } = schema;
    if (type === 'function' && returnType) {
      const result = schema['~result']?.() ?? returnType;
      const parameter = { method, path, checkResult: resultChecker(method, path, result) };
      this.#parameters.set(path, parameter);
      return (value, put) => (typeof value === 'function' ? put(value as never, parameter) : value);
    }
    if (type === 'object' && properties) {
      const inner = Object.entries(properties).flatMap(([key, property]) => {
        const bind = this.#bindOf(method, property, path + propertyPath(key));
        return bind ? [{ key, bind }] : [];
      });
      return inner.length > 0 ? (value, put) => bindProperties(value, inner, put) : undefined;
    }
    const bind = type === 'array' && items && this.#bindOf(method, items, `${path}[]`);
    if (!bind) return undefined;
    return (value, put) =>
      Array.isArray(value) ? value.map((item) => bind(item, put) as unknown) : value;
  }
}

function bindProperties(
  value: unknown,
  inner: readonly { key: string; bind: Bind }[],
  put: Replace,
): unknown {
  // An optional argument may be missing.
  if (typeof value !== 'object') return value;
  const copy: Record<string, unknown> = { ...value };
  for (const { key, bind } of inner) {
    if (Object.hasOwn(copy, key)) copy[key] = bind(copy[key], put);
  }
  return copy;
}

/** Compiles the schema of a callback's results. */
function resultChecker(
  method: string,
  path: string,
  schema: AnySchema,
): CallbackParameter['checkResult'] {
  // The client's function may return any value, which is ignored.
  if ((schema as Schema).type === 'void') return () => undefined;
  const validator = makeValidator(schema, `${method}: argument ${path}: the result`);
  const isOptional = '~optional' in schema;
  return (answer) =>
    answer === undefined && isOptional
      ? answer
      : validated(method, validator, answer, `${path}()`, 'the result of the callback at');
}
