/**
 * `parseUnchecked` returns the same value as `JSON.parse`, also for texts that contain its own
 * marks.
 */
import { describe, expect, test } from 'vitest';
import { parseUnchecked } from '../../../src/server/base/parse-unchecked.ts';
import { randomNumbers } from '../../../src/perf/measure/statistics.ts';

function parseText(text: string): unknown {
  const frame = parseUnchecked(`[[${text}]]`);
  if (!frame) throw new SyntaxError('Malformed frame');
  const [message = [], ...others] = frame;
  if (message.length !== 1 || others.length > 0) throw new SyntaxError('Several texts');
  return message[0];
}

/** With this text, each case is marked. */
const DIGITS = '"12345678"';

describe('the result is the result of JSON.parse', () => {
  test.each([
    ['a text of 8 digits', '"12345678"'],
    ['texts of 7 to 11 digits', '["1234567","12345678","1234567890","12345678901"]'],
    ['a marked text', `[${DIGITS},"#12345678"]`],
    ['a text with two marks', `[${DIGITS},"##1234567890"]`],
    ['a mark as an escape', String.raw`["12345678","\u002312345678","#\u002312345678"]`],
    ['digits as escapes', String.raw`["12345678","\u00312345678","#\u00312345678"]`],
    ['a key', `{"12345678":${DIGITS}}`],
    ['a key before white space', `{"12345678" \n\t:${DIGITS}}`],
    ['a key with a mark', `{"#12345678":${DIGITS}}`],
    ['keys of inherited names', `{"constructor":${DIGITS},"toString":[${DIGITS}]}`],
    ['a text with quotes', String.raw`["12345678","\"12345678\"","\\\"12345678\""]`],
    ['a backslash before the end', String.raw`["\\","12345678","\\\\"]`],
    ['JSON in JSON', JSON.stringify([JSON.stringify(['12345678', '#12345678'])])],
    ['numbers', '[12345678,"12345678",-12345678]'],
    ['white space', ` [ ${DIGITS} , ${DIGITS} ] `],
    ['100 000 levels', `${'['.repeat(100_000)}${DIGITS}${']'.repeat(100_000)}`],
    ['null', `[null,true,${DIGITS}]`],
  ])('for %s', (_, text) => {
    expect(shown(parseText(text))).toBe(shown(JSON.parse(text)));
  });

  test('for __proto__, which stays an own property', () => {
    const parsed = parseText(`{"__proto__":${DIGITS}}`) as object;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(parsed, '__proto__')?.value).toBe('12345678');
  });

  test('for random texts, and it throws where JSON.parse throws', () => {
    const random = randomNumbers(46);
    const parts = [
      '"',
      '12345678',
      '#',
      '\\',
      '\\u0023',
      '\\u0031',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      ' ',
    ];
    let valid = 0;
    for (let round = 0; round < 20_000; round++) {
      const middle = Array.from(
        { length: Math.floor(random() * 12) },
        () => parts[Math.floor(random() * parts.length)],
      ).join('');
      const text = `[${DIGITS},"${middle}"]`;
      const expected = outcome(() => JSON.parse(text) as unknown);
      if (expected !== 'SyntaxError') valid++;
      expect(
        outcome(() => parseText(text)),
        text,
      ).toBe(expected);
    }
    expect(valid).toBeGreaterThan(1_000);
  });
});

/** Returns a value as text, unless it is nested too deeply. */
function shown(value: unknown): string {
  let depth = 0;
  let inner = value;
  for (; Array.isArray(inner) && inner.length === 1; depth++) inner = inner[0];
  return `${depth} ${JSON.stringify(inner)}`;
}

function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return (error as Error).name;
  }
}
