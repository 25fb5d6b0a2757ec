/** True if `npm run test:all` runs the tests. It sets this environment variable. */

export const WHOLE = 'TEST_ALL';

export const IS_WHOLE = process.env[WHOLE] !== undefined;
