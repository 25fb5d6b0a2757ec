/** Formats values for debug output: in one line of limited length. */

/** The maximum number of characters of a value or a frame that are printed. */
const LENGTH = 200;

/** The maximum number of items of a list, and of levels of nesting, that are printed. */
const ITEMS = 20;
const DEPTH = 4;

/** Shortens a long text. */
export function truncate(text: string): string {
  return text.length > LENGTH ? `${text.slice(0, LENGTH - 1)}…` : text;
}

/**
 * Formats a value in the notation of JavaScript if there is one, in at most 200 characters. Does not throw: a value
 * that throws while it is read is `unreadable`.
 */
export function formatValue(value: unknown): string {
  return formatValues([value]);
}

/** Formats several values as `formatValue` does, with commas between them, in at most 200 characters altogether. */
export function formatValues(values: readonly unknown[]): string {
  try {
    return truncate(join(values, (value) => write(value, DEPTH)));
  } catch {
    return 'unreadable';
  }
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(truncate(value));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return value.description ?? '';
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : `${value}`;
  if (value instanceof Error) return writeError(value);
  if (depth === 0) return '…';
  const inner = (part: unknown): string => write(part, depth - 1);
  if (Array.isArray(value)) return `[${join(value, inner)}]`;
  if (value instanceof Set) return `Set {${join(value, inner)}}`;
  if (value instanceof Map) {
    return `Map {${join(value, ([key, one]) => `${inner(key)} => ${inner(one)}`)}}`;
  }
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (ArrayBuffer.isView(value) || kind.endsWith('ArrayBuffer')) {
    return `${kind}(${(value as ArrayBufferLike).byteLength} bytes)`;
  }
  if (kind !== 'Object') return `${kind}(${String(value)})`;
  return `{${join(Object.entries(value), ([key, one]) => `${key}: ${inner(one)}`)}}`;
}

function writeError(error: Error): string {
  const { code } = error as { code?: unknown };
  return `${error.name}${typeof code === 'string' ? ` ${code}` : ''}: ${error.message}`;
}

function join<Item>(items: Iterable<Item>, show: (item: Item) => string): string {
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length === ITEMS) return `${texts.join(', ')}, …`;
    texts.push(show(item));
  }
  return texts.join(', ');
}
