/** Whether `npm run test:all` runs, which sets an environment variable. */

export const WHOLE = 'TEST_ALL';

export const IS_WHOLE = process.env[WHOLE] !== undefined;
