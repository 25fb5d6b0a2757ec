/** Tells tests whether `npm run test:all` runs them. It sets this environment variable. */

export const WHOLE = 'TEST_ALL';

export const IS_WHOLE = process.env[WHOLE] !== undefined;
