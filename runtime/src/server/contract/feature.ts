/** Finds the features that a contract uses. An entry, a schema or a class carries the record of its feature. */
import type { Feature, Featured } from './types.ts';

const VERSION: Feature['version'] = 1;

/** Returns the feature of an entry, a schema or a class of a contract. */
export function featureOf(bringing: unknown): Feature | undefined {
  return (bringing as Featured | null | undefined)?.['~feature'];
}

/**
 * Adds a feature, and the features that it is built on, to a set.
 *
 * @throws TypeError for the record of another version of the package
 */
export function collectFeature(feature: Feature, features: Set<Feature>): void {
  if (feature.version !== VERSION) {
    const problem = `The feature ${String(feature.name)} is from another version of lumenize-rpc`;
    throw new TypeError(`${problem}: install one version (npm ls lumenize-rpc)`);
  }
  for (const one of feature.needs ?? []) collectFeature(one, features);
  features.add(feature);
}
