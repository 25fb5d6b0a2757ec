/**
 * Explains mistakes in a contract to its developer. Only bundles for development and tests have these explanations. A
 * bundle for production still refuses a contract that would let through calls that it should not, with shorter errors.
 */
import { checkAnySchema } from './schemas.ts';
import { nearest } from './nearest.ts';
import { CAPABILITY_CLASS, isCapability } from '../base/capability-classes.ts';
import { DEFAULT_LIMITS } from '../base/limits.ts';
import { METHOD_KIND } from '../base/brands.ts';

const KEYS = [
  'input',
  'readonly',
  'volatile',
  'returns',
  'plain',
  'output',
  'title',
  'description',
];

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])';

const FOREIGN =
  'that is a capability of another copy of lumenize-rpc: install one copy for both (npm ls lumenize-rpc)';

type Fields = Record<string, unknown>;

type Fail = (problem: string) => never;

/** @throws TypeError for a wrong value, or a key that would be ignored */
export function checkEntry(method: string, entry: unknown): void {
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  const fields = (Array.isArray(entry) ? { input: entry } : Object(entry)) as Fields;
  const isHelped = METHOD_KIND in fields;
  const keys = fields['internal'] ? ['input', 'internal'] : KEYS;
  if (isHelped && !fields['~feature']) {
    const kind = String(fields[METHOD_KIND]);
    fail(
      `is of a kind ${kind}: it is from another version of lumenize-rpc. Install one version (npm ls lumenize-rpc)`,
    );
  }
  const other = isHelped ? undefined : Object.keys(fields).find((key) => !keys.includes(key));
  const meant = other && nearest(other, keys);
  if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
  const { input, readonly, returns, plain } = fields;
  if (!Array.isArray(input)) fail(`has no list of schemas: ${EXPECTED}`);
  if (other) {
    const known = `${keys.slice(0, -1).join(', ')} and ${keys.at(-1)}`;
    fail(`has an unknown key ${other}: the keys are ${known}`);
  }
  checkFlag('readonly', readonly, fail);
  if (!isHelped) {
    checkFlag('plain', plain, fail);
    checkFlag('volatile', fields['volatile'], fail);
    if (readonly && fields['volatile']) fail('has both readonly and volatile: remove one');
  }
  const classes = returns === undefined ? [] : [returns].flat();
  if (classes.some(isForeignCapability)) fail(`has a returns ${FOREIGN}`);
  if (!classes.every(isCapability)) fail('has a returns that is not a class made by capability()');
  const { output, title, description } = fields;
  for (const [key, text] of Object.entries({ title, description })) {
    if (text !== undefined && typeof text !== 'string') fail(`has a ${key} that is not text`);
  }
  if (output !== undefined) checkAnySchema(output, `${method}: output`);
  if (!isHelped && plain && classes.length > 0) fail('has both plain and returns: remove one');
}

function checkFlag(key: string, value: unknown, fail: Fail): void {
  if ([true, false, undefined].includes(value as boolean)) return;
  fail(`has a ${key} of ${String(value)}: write true or false`);
}

/** Returns whether another copy of the package has made a class of capabilities. */
function isForeignCapability(schema: unknown): boolean {
  return typeof schema === 'function' && CAPABILITY_CLASS in schema && !isCapability(schema);
}

/**
 * @param schema - a schema that no feature has made
 * @throws TypeError for a schema that would not be checked, and for a class of another copy of the package
 */
export function checkArgument(schema: unknown, path: string): void {
  if (isForeignCapability(schema)) throw new TypeError(`${path} is a class ${FOREIGN}`);
  checkAnySchema(schema, path, true);
}

/** @throws TypeError for an unknown name, or a value that would limit nothing, such as `NaN` */
export function checkLimits(limits: object): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new TypeError(
        `There is no limit ${name}: the limits are ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
      );
    if (typeof limit === 'number' && limit >= 0) continue;
    throw new TypeError(`The limit ${name} is ${limit}: write a number of at least 0`);
  }
}
