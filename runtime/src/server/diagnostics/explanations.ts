/**
 * The functions that explain mistakes to a developer. Bundles for development and for tests have them. A bundle for
 * production has none of them, so its errors only say where something is wrong, and what was expected.
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

/** Bundlers replace `process.env.NODE_ENV` by its value. */
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

/** All explanations; `undefined` in production. */
export let explanations: typeof ALL | undefined;

try {
  // A bundler for production leaves out `ALL`, because only this line names it.
  if (process.env.NODE_ENV !== 'production') explanations = ALL;
} catch {
  // No bundler has replaced `process`, and the Workers runtime has none unless `nodejs_compat` is on.
}
