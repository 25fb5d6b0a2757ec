/**
 * How much is tried of what could be tried without end: `npm test` tries a part, and `npm run test:slow`, which runs
 * the same files in a project of their own, the rest of a list, or more that is random.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in `runtime/test/vitest.config.ts`, as is the next. */
    isThorough?: boolean;
    isBuilt?: boolean;
  }
}

/** Whether to try what `npm test` leaves out. */
export const isThorough = inject('isThorough') ?? false;

/** Whether the tests run again, on the built package. */
export const isBuilt = inject('isBuilt') ?? false;

/** Of so many random tries, those that this run makes. */
export function tries(all: number): number {
  return isThorough ? all : Math.ceil(all / 5);
}
