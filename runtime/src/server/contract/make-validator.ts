/** Makes the validator of a schema, whatever library the schema is from. */
import { isStandard, type Schema } from '../base/standard-schema.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { jsonValidator } from '../schemas/json-schema.ts';
import { standardValidator } from '../schemas/standard.ts';
import type { Validator } from '../schemas/validator.ts';

/**
 * Makes the validator of a schema.
 *
 * @param where - names the schema in errors
 * @param explain - explains mistakes in the schema; left out in production
 * @throws TypeError for a value that is no schema, and for a schema that would not be checked as it is written
 */
export function makeValidator(
  schema: Schema,
  where: string,
  explain = explanations?.checkSchema,
): Validator {
  explain?.(schema, where);
  if (isStandard(schema)) return standardValidator(schema, explanations?.explainSchema);
  return jsonValidator(schema, where, explanations);
}
