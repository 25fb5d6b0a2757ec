/** Rejects a platform that is older than the package supports, in bundles for development and tests. */

/** @throws TypeError for a Worker whose compatibility date is before 2024-09-26 */
export function checkPlatform(): void {
  // The codec finds the type of a value by this property, which classes of the platform lack before that date.
  if (Symbol.toStringTag in URL.prototype) return;
  throw new TypeError(
    'lumenize-rpc needs a compatibility date of 2024-09-26 or later: set compatibility_date in the Wrangler configuration',
  );
}
