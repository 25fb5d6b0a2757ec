/**
 * Changes of contracts, each with the class and a page of both versions. The tests find out what a
 * change breaks, so the list does not say it.
 */
import { ARGUMENTS } from './changes/arguments.ts';
import { CAPABILITIES } from './changes/capabilities.ts';
import { FUNCTIONS } from './changes/functions.ts';
import { KINDS } from './changes/kinds.ts';
import { METHODS } from './changes/methods.ts';
import { RESULTS } from './changes/results.ts';
import type { ContractChange } from './version.ts';

export const CHANGES: readonly ContractChange[] = [
  ...METHODS,
  ...ARGUMENTS,
  ...RESULTS,
  ...KINDS,
  ...FUNCTIONS,
  ...CAPABILITIES,
];
