/**
 * What explains mistakes to a developer: it is in bundles for development and for tests. A bundle for production has
 * none of it, and its errors then say less: where something is wrong, and what was expected.
 */
import { addHint, checkPlain } from './unsendable.ts';
import { checkArgument, checkEntry, checkLimits } from './contract.ts';
import { refusingContract } from './refusing-contract.ts';
import { isLocal } from '../base/development.ts';
import { explainFailure, printFailure } from './failure.ts';
import { explainNotFound, routedBindings } from './not-found.ts';
import { adviseKeyword } from './keywords.ts';
import { describeCheck, likelyFailure } from './likely-error.ts';
import { afterConstruction, afterDefinition } from './hot-updates.ts';
import { explainMissing } from './missing-feature.ts';
import { nearest } from './nearest.ts';
import { reportOrigin } from './origins.ts';
import { outputChecker } from './output.ts';
import { checkPlatform } from './platform.ts';
import { checkAnySchema, explainSchema } from './schemas.ts';
import { watchWrites } from './writes.ts';

/** Bundlers replace it by its value. */
declare const process: { env: { NODE_ENV?: string } };

const ALL = {
  addHint,
  adviseKeyword,
  afterConstruction,
  afterDefinition,
  explainFailure,
  explainMissing,
  explainNotFound,
  explainSchema,
  checkArgument,
  checkEntry,
  checkLimits,
  checkPlain,
  checkPlatform,
  checkSchema: checkAnySchema,
  describeCheck,
  isLocal,
  likelyFailure,
  nearest,
  outputChecker,
  printFailure,
  refusingContract,
  reportOrigin,
  routedBindings,
  watchWrites,
};

/** `undefined` in production. */
export let explanations: typeof ALL | undefined;

try {
  // A bundler leaves out what only this names.
  if (process.env.NODE_ENV !== 'production') explanations = ALL;
} catch {
  // Nothing has replaced it, and the Workers runtime has no `process` unless `nodejs_compat` is on.
}
