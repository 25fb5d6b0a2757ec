/**
 * Parses JSON that a client sent. V8 keeps the short texts of JSON in a hash table, and the hash of a text of 8 to 10
 * digits follows from its number alone. A client can choose such texts so that all have the same hash, and then each
 * text takes longer to parse than the text before. So these texts are parsed with a mark before them, which is removed
 * afterwards.
 */
import { isObject } from '../../wire/values/plain.ts';
import { type Frame, parseFrame } from '../../wire/messages.ts';

/** Matches a text of 8 to 10 digits. Most frames have no such text, and cost no more than this search. */
const DIGITS = /"\d{8,10}"/;

const MARK = '#';

/**
 * Matches the beginning of a text of 8 to 10 digits, and of a text that looks like a marked text. It does not match
 * keys, which V8 does not put into that table. A quote after a backslash does not begin a text.
 */
const BEGINNING = /(?<!\\)"(?=(?:#|\\u0023)*(?:\d|\\u003\d){8,10}"(?!\s*:))/g;

const MARKED = /^#+\d{8,10}$/;

/** Parses a frame as `parseFrame` does, and in linear time. */
export function parseUnchecked(text: Frame): unknown[][] | undefined {
  if (typeof text !== 'string' || !DIGITS.test(text)) return parseFrame(text);
  const marked = text.replace(BEGINNING, `"${MARK}`);
  const frame = parseFrame(marked);
  // Most texts of digits are keys, which are not marked.
  if (frame && marked.length > text.length) unmark(frame);
  return frame;
}

function unmark(root: unknown[]): void {
  // This is a loop and no recursion, because the text can be nested deeper than the stack is.
  const parents: object[] = [root];
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    if (Array.isArray(parent)) unmarkItems(parent, parents);
    else unmarkProperties(parent as Record<string, unknown>, parents);
  }
}

function unmarkItems(items: unknown[], parents: object[]): void {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item === 'string') items[index] = unmarked(item);
    else if (isObject(item)) parents.push(item);
  }
}

function unmarkProperties(object: Record<string, unknown>, parents: object[]): void {
  for (const key in object) {
    const value = object[key];
    if (typeof value === 'string') {
      if (value.startsWith(MARK)) object[key] = unmarked(value);
    } else if (isObject(value)) parents.push(value);
  }
}

function unmarked(text: string): string {
  return text.startsWith(MARK) && MARKED.test(text) ? text.slice(MARK.length) : text;
}
