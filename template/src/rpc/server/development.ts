/** Whether the Worker runs for its developer. Imports nothing. */

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

/** @returns whether the code runs in `wrangler dev`, in Vite's development server or in Vitest */
export function isLocal(): boolean {
  return isDevelopment() || (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true;
}
