/**
 * Writes values as JSON. Plain data stays as it is. The table has the types that JSON lacks. Their values cannot be
 * read back, since JSON does not say which type a text stands for.
 */
import { RpcError } from '../wire/errors.ts';
import { toBase64 } from '../wire/values/base64.ts';
import { builtInName } from '../wire/values/plain.ts';

/** The functions that write the values of a type. */
interface JsonForm {
  /** @returns plain data, whose parts are written by this table, too */
  write(value: never): unknown;
  /** The JSON Schema of the data that `write` returns. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = { type: 'string' };
const BYTES: JsonForm = {
  write: (bytes: ArrayBuffer | ArrayBufferView) =>
    toBase64(
      ArrayBuffer.isView(bytes)
        ? (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer)
        : bytes,
    ),
  schema: { ...text, contentEncoding: 'base64' },
};

/** The forms by the name of the type in `Object.prototype.toString`. `ArrayBuffer` stands for all kinds of bytes. */
export const JSON_FORMS = {
  BigInt: { write: (value: bigint) => `${value}`, schema: { ...text, pattern: '^-?\\d+$' } },
  Date: {
    write: (date: Date) => (Number.isNaN(date.getTime()) ? null : date.toISOString()),
    schema: { ...text, format: 'date-time' },
  },
  ArrayBuffer: BYTES,
  Map: {
    write: (map: Map<unknown, unknown>) => [...map],
    schema: { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2 } },
  },
  Set: { write: (set: Set<unknown>) => [...set], schema: { type: 'array', uniqueItems: true } },
  Error: {
    write: ({ name, message, code }: Error & { code?: unknown }) => ({ name, message, code }),
    schema: {
      type: 'object',
      properties: { name: text, message: text, code: {} },
      required: ['name', 'message'],
    },
  },
  RegExp: { write: String, schema: text },
  URL: { write: String, schema: { ...text, format: 'uri' } },
  URLSearchParams: { write: String, schema: text },
  Headers: {
    write: (headers: Headers) => [...headers],
    schema: { type: 'array', items: { type: 'array', items: text, minItems: 2, maxItems: 2 } },
  },
} satisfies Record<string, JsonForm>;

const FORMS: Readonly<Record<string, JsonForm | undefined>> = {
  ...JSON_FORMS,
  DOMException: JSON_FORMS.Error,
};

/**
 * Returns the form of a value that JSON lacks; `undefined` for plain data, and for values that JSON writes as `null`.
 */
function formOf(value: unknown): JsonForm | undefined {
  if (typeof value === 'bigint') return FORMS['BigInt'];
  if (typeof value !== 'object' || value === null) return undefined;
  if (ArrayBuffer.isView(value)) return BYTES;
  if (value instanceof Error) return FORMS['Error'];
  const name = builtInName(value);
  return Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
}

/**
 * Writes a value as JSON.
 *
 * @returns `undefined` for `undefined`
 * @throws TypeError for an object that contains itself
 */
export function writeJson(value: unknown): string | undefined {
  return JSON.stringify(value, function (this: Record<string, unknown>, key) {
    // The parameter after the key has gone through `toJSON` already.
    const part = this[key];
    const form = formOf(part);
    return form ? form.write(part as never) : part;
  });
}

/** Reads a reference, such as a callback, in a value that an object has sent. */
export function unreadable([kind]: readonly unknown[]): never {
  throw new RpcError(
    'UNSUPPORTED',
    `The result has a ${kind as string}, which JSON cannot represent: call the method by createRpcClient`,
  );
}
