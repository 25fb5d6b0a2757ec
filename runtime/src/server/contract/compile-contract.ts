/**
 * Compiles a contract, which lists the methods that clients can call and the schema of each argument. Validators are made
 * when the class is defined, so that a mistake in a schema is found then.
 */
import type {
  ArgumentSchema,
  CompiledCapability,
  CompiledMethod,
  MethodDefinition,
  Feature,
  Featured,
  FeatureMethod,
  CompiledContract,
} from './types.ts';
import type { ContractOptions } from './options.ts';
import { composeAround, replaceErrorsBy } from './around.ts';
import { textFrameCodec } from '../../wire/frame-codec.ts';
import { invalidArgument, validated, type Validator } from '../schemas/validator.ts';
import {
  compiledCapability,
  type Contract,
  type InternalEntry,
  methodDefinition,
} from './entries.ts';
import { CLIENT_NAMES, PATH_NAMES, RUNTIME_NAMES } from '../../wire/reserved-names.ts';
import { isCapability } from '../base/capability-classes.ts';
import { isStandard, type Schema } from '../base/standard-schema.ts';
import { PACKAGE_COPY } from './contract-of.ts';
import { collectFeature, featureOf } from './feature.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { limitsWith, withDefaults } from '../base/limits.ts';
import { makeValidator } from './make-validator.ts';

function isReserved(name: string): boolean {
  const reserved = ` ${RUNTIME_NAMES} ${PATH_NAMES} ${CLIENT_NAMES} `;
  return name in Object.prototype || reserved.includes(` ${name} `);
}

/**
 * Compiles a contract. Call it at module scope, so that a mistake in it is found when the Worker starts.
 *
 * @param contract - an entry for each method. An entry is a list of schemas (of TypeBox, or of a library with Standard
 *   Schema), the result of `read`, `volatile`, `internal`, `live`, `events`, `stream` or `rows`, or an object
 *   `{ input, readonly, volatile, plain, returns, output, title, description }`.
 * @param options - limits, hibernation, the journal and others, as for `lumenizeRpcDO`: see `ContractOptions`. Default:
 *   none.
 * @returns the compiled contract for `handleRpcRequest`, `handleRpcMessage` and `handleRpcClose`
 * @throws TypeError for a malformed contract: for example a reserved method name, a limit that would limit nothing, or a
 *   schema with a keyword, a type or a format that would not be checked. In a bundle for development or tests, the error
 *   says what to write, and an unknown key is an error, too.
 * @example
 * const contract = compileContract({ increment: [Type.Optional(Type.Integer())] });
 */
export function compileContract(
  contract: Contract,
  options: ContractOptions = {},
): CompiledContract {
  explanations?.checkPlatform();
  explanations?.checkLimits(options.limits ?? {});
  const { methods, internal, capabilities, features } = compileMethods(contract, usedBy(options));
  // Details are only shown on a developer's machine, which is recognized by features that no deployment has.
  const exposeErrorDetails = explanations?.isLocal() ?? false;
  const settings = withDefaults({ ...DEFAULTS, exposeErrorDetails }, options);
  return {
    ...settings,
    '~copy': PACKAGE_COPY,
    methods,
    internal,
    capabilities,
    limits: limitsWith(options.limits),
    ...tablesOf([...features], options),
  };
}

/** @throws TypeError for a value in `onCall` or `use` that is no feature */
function usedBy({ use = [], onCall }: ContractOptions): Feature[] {
  const used = use.map((featured, index) => usedFeature(featured, `use[${index}]`));
  return onCall ? [usedFeature(onCall, 'onCall'), ...used] : used;
}

function usedFeature(featured: Featured, option: string): Feature {
  const feature = featureOf(featured);
  if (feature) return feature;
  throw new TypeError(`${option} in the options is not a feature, such as bytes or reportCalls(…)`);
}

type Settings = Pick<CompiledContract, keyof CompiledContract & keyof ContractOptions>;

/** The defaults of all options except `limits` and `exposeErrorDetails`. */
const DEFAULTS: Omit<Settings, 'limits' | 'exposeErrorDetails'> = {
  hibernate: true,
  journal: true,
  journalAge: 3_600_000,
  callbackTimeout: 30_000,
  streamTimeout: 60_000,
};

/** Collects the parts of a contract's features into tables. A feature that the contract does not use has no entry. */
function tablesOf(
  features: readonly Feature[],
  { onError }: ContractOptions,
): Pick<
  CompiledContract,
  | 'features'
  | 'messages'
  | 'references'
  | 'referenceOf'
  | 'frames'
  | 'targets'
  | 'request'
  | 'afterChange'
  | 'onFrame'
  | 'around'
> {
  const all = <Name extends keyof Feature>(name: Name): NonNullable<Feature[Name]>[] =>
    features.map((feature) => feature[name]).filter((part) => part !== undefined);
  return {
    features,
    messages: new Map(all('messages').flatMap(Object.entries)),
    references: new Map(all('references').flatMap(Object.entries)),
    referenceOf: all('referenceOf')[0],
    frames: all('frames')[0] ?? textFrameCodec,
    targets: all('targets')[0],
    request: all('request')[0],
    afterChange: joined(all('afterChange')),
    onFrame: joined(all('onFrame')),
    around: composeAround([...all('around'), ...(onError ? [replaceErrorsBy(onError)] : [])]),
  };
}

/** Joins hooks into one. An error of a hook is printed to the console, and does not affect the other hooks. */
function joined<About extends unknown[]>(
  hooks: readonly ((...about: About) => void)[],
): ((...about: About) => void) | undefined {
  if (hooks.length === 0) return undefined;
  return (...about) => {
    for (const hook of hooks) {
      try {
        hook(...about);
      } catch (error) {
        console.error(error);
      }
    }
  };
}

/** @throws TypeError for a name that is not a method of the class */
export function checkListed(Class: { prototype: object }, names: Iterable<string>): void {
  for (const name of names) {
    if (typeof (Class.prototype as Record<string, unknown>)[name] === 'function') continue;
    throw new TypeError(`The contract lists ${name}, which is not a method of the class`);
  }
}

type CompiledMethods = Pick<CompiledContract, 'methods' | 'internal' | 'capabilities'> & {
  features: Set<Feature>;
};

/**
 * @param used - the features of all methods, in addition to the features of each entry
 * @throws TypeError for the mistakes that `compileContract` rejects
 */
export function compileMethods(contract: Contract, used: readonly Feature[] = []): CompiledMethods {
  const methods = new Map<string, CompiledMethod>();
  const internal = new Map<string, CompiledMethod>();
  const capabilities = new Map<string, CompiledCapability>();
  const features = new Set<Feature>();
  for (const feature of used) collectFeature(feature, features);
  for (const [name, entry] of Object.entries(contract)) {
    if (isReserved(name)) {
      throw new TypeError(
        `The contract lists ${name}, which is a reserved name: rename the method`,
      );
    }
    explanations?.checkEntry(name, entry);
    const long = methodDefinition(name, entry);
    const brought = broughtBy(long);
    for (const feature of brought) collectFeature(feature, features);
    const isInternal = (entry as Partial<InternalEntry>).internal;
    (isInternal ? internal : methods).set(
      name,
      compileMethod(name, long, new Set([...brought, ...used])),
    );
    for (const Class of [...long.returns, ...long.input.filter(isCapability)]) {
      const capability = compiledCapability(Class) as CompiledCapability;
      declare(capability, capabilities);
      for (const feature of capability.features) collectFeature(feature, features);
    }
  }
  return { methods, internal, capabilities, features };
}

/**
 * Returns the features that an entry brings: by its kind, by a class, or by a schema, also inside of another schema.
 */
function broughtBy({ feature, input, returns }: MethodDefinition): Set<Feature> {
  const brought = new Set<Feature>(feature ? [feature] : []);
  const visit = (schema: unknown): void => {
    const found = featureOf(schema);
    if (found) brought.add(found);
    if (isStandard(schema)) return;
    const { properties, items } = (schema ?? {}) as { properties?: object; items?: unknown };
    for (const inner of Object.values(properties ?? {})) visit(inner);
    if (typeof items === 'object') visit(items);
  };
  for (const schema of [...returns, ...input]) visit(schema);
  return brought;
}

/** Adds a capability, and the capabilities that its methods take and return. */
function declare(
  capability: CompiledCapability,
  capabilities: Map<string, CompiledCapability>,
): void {
  for (const one of [capability, ...capability.capabilities.values()]) {
    if ((capabilities.get(one.name) ?? one) !== one) {
      throw new TypeError(`Two capability classes have the name ${one.name}: rename one`);
    }
    capabilities.set(one.name, one);
  }
}

function compileMethod(
  name: string,
  entry: MethodDefinition,
  features: ReadonlySet<Feature>,
): CompiledMethod {
  const { input: schemas, readonly, plain, output } = entry;
  const validators = schemas.map((schema, index) => validatorOf(schema, name, index));
  const optional = schemas.map((schema) => !isStandard(schema) && '~optional' in schema);
  const ofFeatures = new Map<string, FeatureMethod>();
  for (const feature of features) {
    const known = feature.compile?.(name, entry, validators);
    if (known) ofFeatures.set(feature.name, known);
  }
  const all = [...ofFeatures.values()];
  const binds = all.filter(({ bind }) => bind);
  const validatesWhileRunning = all.some((known) => known.validatesWhileRunning);
  return {
    ...entry,
    name,
    readonly: readonly && !validatesWhileRunning,
    plain: plain && (explanations?.isLocal() ? 'checked' : 'unchecked'),
    feedback: { name },
    features: ofFeatures.size > 0 ? ofFeatures : undefined,
    validatesWhileRunning,
    subscribableResult: all.find(({ subscribableResult }) => subscribableResult)
      ?.subscribableResult,
    bind:
      binds.length > 0
        ? (args, on, resources) =>
            binds.reduce((bound, known) => known.bind?.(bound, on, resources) ?? bound, args)
        : undefined,
    checkOutput: explanations?.outputChecker(
      name,
      entry,
      output && makeValidator(output, `${name}: output`),
    ),
    validate(args, first = 0) {
      if (args.length > validators.length) {
        const path = `[${validators.length}]`;
        const problem = `takes ${validators.length} arguments, got ${args.length}`;
        throw invalidArgument(name, path, problem);
      }
      let valid = args;
      for (let index = first; index < validators.length; index++) {
        const value = args[index];
        if (value === undefined && optional[index]) continue;
        const made = validated(name, validators[index] as Validator, value, `[${index}]`);
        if (made === value) continue;
        if (valid === args) valid = [...args];
        valid[index] = made;
      }
      return valid;
    },
  };
}

/** @throws TypeError for a value that is neither a schema nor an argument that a feature takes */
function validatorOf(schema: ArgumentSchema, method: string, index: number): Validator {
  const special = featureOf(schema)?.argument?.(schema, method, index);
  // A class of another copy of the package also has a feature, but that feature does not know the values of this copy.
  if (special && (typeof schema === 'object' || isCapability(schema))) return special;
  return makeValidator(
    schema as Schema,
    `${method}: argument [${index}]`,
    explanations?.checkArgument,
  );
}
