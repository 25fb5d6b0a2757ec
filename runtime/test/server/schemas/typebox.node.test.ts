/**
 * Compares the validator with TypeBox's compiler: both accept a value, or both refuse it and report
 * the same path first.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Keyword, KEYWORDS } from '../../../src/server/schemas/keywords.ts';
import { differences } from './compare.ts';

test('a thousand random schemas and values', () => {
  const { found, accepted } = differences(1, 1_000);
  expect(found).toEqual([]);
  // The validators accept and refuse many values each.
  expect(accepted).toBeGreaterThan(200);
  expect(accepted).toBeLessThan(800);
});

/** The keywords that random schemas have. */
const WRITTEN =
  'required additionalProperties dependentRequired dependentSchemas patternProperties properties propertyNames minProperties maxProperties additionalItems contains items minItems maxItems prefixItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf const enum if not allOf anyOf oneOf unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );

/** Pairs of a keyword and the keyword that replaces it. */
const SWAPPED: [string, string][] = [
  ['minimum', 'exclusiveMinimum'],
  ['exclusiveMaximum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['maxItems', 'minItems'],
  ['anyOf', 'oneOf'],
  ['oneOf', 'anyOf'],
  ['allOf', 'anyOf'],
  ['enum', 'const'],
];

describe('a planted fault is found', () => {
  const plant = (name: string, fault: Keyword): void => {
    const table = KEYWORDS as Record<string, Keyword>;
    const right = table[name] as Keyword;
    table[name] = fault;
    onTestFinished(() => {
      table[name] = right;
    });
  };

  test.each(WRITTEN)('without %s', (name) => {
    const { takes, of } = KEYWORDS[name] as Keyword;
    plant(name, of ? { takes, of } : { takes });
    expect(differences(1, 20_000, 1).found).toHaveLength(1);
  });

  test.each(SWAPPED)('%s that checks as %s', (name, other) => {
    plant(name, { ...KEYWORDS[other], takes: KEYWORDS[name]?.takes } as Keyword);
    expect(differences(1, 20_000, 1).found).toHaveLength(1);
  });
});
