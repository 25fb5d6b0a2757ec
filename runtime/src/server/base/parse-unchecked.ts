/**
 * Parses JSON that a client sent. V8 keeps the short texts of JSON in a table, and the place of a text of 8 to 10 digits
 * in it follows from its number alone: a client can choose such texts so that all have one place, and then each costs
 * more time than the one before. So these texts are parsed with a mark before them, which is removed afterwards.
 */
import { isObject } from '../../wire/values/plain.ts';
import { type Frame, parseFrame } from '../../wire/messages.ts';

/** Matches such a text. Most frames have none, and cost no more than this search. */
const DIGITS = /"\d{8,10}"/;

const MARK = '#';

/**
 * The beginning of a text of 8 to 10 digits that is not a key, which has no place in that table; or of one that looks
 * like a marked text. A quote after a backslash does not begin a text.
 */
const BEGINNING = /(?<!\\)"(?=(?:#|\\u0023)*(?:\d|\\u003\d){8,10}"(?!\s*:))/g;

const MARKED = /^#+\d{8,10}$/;

/** Like `parseFrame`. */
export function parseUnchecked(text: Frame): unknown[][] | undefined {
  if (typeof text !== 'string' || !DIGITS.test(text)) return parseFrame(text);
  const marked = text.replace(BEGINNING, `"${MARK}`);
  const frame = parseFrame(marked);
  // Most such texts are keys, which are not marked.
  if (frame && marked.length > text.length) unmark(frame);
  return frame;
}

function unmark(root: unknown[]): void {
  // Not by recursion: the text can be nested deeper than the stack is.
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
