/** Whether the Worker runs in `wrangler dev`. Imports nothing. */

/** Replaced by its value when wrangler bundles the Worker. Other bundlers may leave it as it is. */
declare const process: { env: { NODE_ENV?: string } };

/** @returns whether wrangler has bundled the code for `wrangler dev`, not for a deployment or for tests */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV === 'development';
  } catch {
    // The Workers runtime has no `process` unless `nodejs_compat` is on.
    return false;
  }
}
