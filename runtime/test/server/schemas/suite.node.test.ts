/**
 * Runs the test suite of JSON Schema 2020-12 for the keywords that the validator knows. It is in
 * `suite/`, from https://github.com/json-schema-org/JSON-Schema-Test-Suite at 44401e0c, under the
 * licence in that folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonValidator } from '../../../src/server/schemas/json-schema.ts';

const SUITE = join(import.meta.dirname, 'suite');

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[];
}

/** Groups whose schema is refused when a class is defined. */
const REFUSED: Readonly<Record<string, string>> = {
  'validate definition against metaschema': 'a reference to the meta-schema, which no bundle has',
  'remote ref, containing refs itself': 'a reference to the meta-schema, which no bundle has',
  'unevaluatedItems with $dynamicRef': '$dynamicRef, which extends meta-schemas',
  'unevaluatedProperties with $dynamicRef': '$dynamicRef, which extends meta-schemas',
};

/**
 * Invalid texts that a format accepts. The tables to refuse them would be larger than all formats
 * together.
 */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  // The characters of other scripts that a name in Punycode may have.
  'validation of A-label (punycode) host names':
    /Punycode|U\+302E|Begins with an? |DISALLOWED|MIDDLE DOT (?:with|not)|KERAIA not|GERESH not|GERSHAYIM not|KATAKANA MIDDLE DOT with no|Digits? mixed|digits mixed|ZERO WIDTH JOINER not|"--"/,
  // The parts of an authority.
  'validation of URI References': /non-numeric port|more than one at-sign|leading zero/,
  'validation of URIs': /non-numeric port|leading zero/,
};

const files = readdirSync(SUITE, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.json'));

describe.each(files)('%s', (file) => {
  const groups = JSON.parse(readFileSync(join(SUITE, file), 'utf8')) as Group[];

  test.each(groups)('$description', ({ description, schema, tests }) => {
    if (description in REFUSED) {
      expect(() => jsonValidator(schema, 'own')).toThrow(TypeError);
      return;
    }
    const validator = jsonValidator(schema, 'own');
    for (const { description: what, data, valid } of tests) {
      const isAccepted = valid || (ACCEPTED[description]?.test(what) ?? false);
      expect({ what, fits: !validator.validate(data).issues }).toEqual({ what, fits: isAccepted });
    }
  });
});
