/** Makes the validator of a schema, whatever library the schema is from. */
import type { TSchema } from 'typebox';
import { explanations } from '../diagnostics/explanations.ts';
import { typeboxValidator } from '../schemas/typebox.ts';
import type { Validator } from '../schemas/validator.ts';

/** @throws TypeError for a value that is no schema */
export function makeValidator(schema: TSchema): Validator {
  return typeboxValidator(schema, explanations);
}
