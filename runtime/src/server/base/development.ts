/** Finds out whether the Worker runs for its developer, on the developer's machine. */

/** Wrangler replaces this variable by its value when it bundles the Worker. Other bundlers may leave it as it is. */
declare const process: { env: { NODE_ENV?: string } };

const { env, url } = import.meta as { env?: { DEV?: boolean }; url?: string };

/**
 * Returns whether this code comes from a file of this machine: wrangler names that file in stacks, and Vite and Vitest in
 * `import.meta.url`. In a deployed Worker, the bundle lies in no folder or in the folder `bundle`. `NODE_ENV` alone
 * does not suffice: bundlers copy a shell's `NODE_ENV=development` into a deployment, and some set it by default.
 * The host and `request.cf` do not help, since in `wrangler dev` both can be the host and the data of a deployment, and
 * a contract is checked before there is a request.
 */
function isFromFile(): boolean {
  return /\bfile:\/\/\/(?!bundle\/)[^/\s]+\//.test(`${url} ${new Error().stack}`);
}

/** @returns whether wrangler or Vite has bundled the code for development, not for a deployment or for tests */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV === 'development' && isFromFile();
  } catch {
    // The Workers runtime has no `process` unless `nodejs_compat` is on.
    return false;
  }
}

/** @returns whether the code runs in `wrangler dev`, in Vite's development server or in Vitest */
export function isLocal(): boolean {
  return isDevelopment() || (env?.DEV === true && isFromFile());
}
