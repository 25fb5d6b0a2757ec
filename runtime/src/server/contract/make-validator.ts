/** Makes the validator of a schema, whatever library the schema is from. */
import { isStandard, type Schema } from '../base/standard-schema.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { standardValidator } from '../schemas/standard.ts';
import { typeboxValidator } from '../schemas/typebox.ts';
import type { Validator } from '../schemas/validator.ts';

/**
 * @param where - names the schema in errors; left out for a schema that is checked already
 * @throws TypeError for a value that is no schema; in development also for a schema that would not be checked as a whole
 */
export function makeValidator(schema: Schema, where?: string): Validator {
  if (where !== undefined) explanations?.checkSchema(schema, where);
  if (isStandard(schema)) return standardValidator(schema, explanations?.explainSchema);
  return typeboxValidator(schema, explanations);
}
