/** Tells how much a test tries: a part of the cases, or more of them in `npm run test:all`. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `runtime/test/vitest.config.ts` sets it. */
    isThorough?: boolean;
  }
}

/** True if the run includes the cases that `npm test` leaves out. */
export const isThorough = inject('isThorough') ?? false;

/** Returns how many of the given number of random tries this run makes. */
export function tries(all: number): number {
  return isThorough ? all : Math.ceil(all / 5);
}
