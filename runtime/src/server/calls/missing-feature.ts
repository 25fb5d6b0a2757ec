/** The error of a message or a reference whose feature the contract does not bring. */
import type { RpcError } from '../../wire/errors.ts';
import type { FeatureName } from '../../wire/features.ts';
import { rejection } from '../base/rejection.ts';
import { explanations } from '../diagnostics/explanations.ts';

export function missingFeature(feature: FeatureName): RpcError {
  const problem = explanations?.explainMissing(feature) ?? `The contract does not use ${feature}`;
  return rejection('UNSUPPORTED', problem);
}
