/** How much is tried of what could be tried without end: a part, and by `npm run test:all` more, or all. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in `runtime/test/vitest.config.ts`. */
    isThorough?: boolean;
  }
}

/** Whether to try what `npm test` leaves out. */
export const isThorough = inject('isThorough') ?? false;

/** Of so many random tries, those that this run makes. */
export function tries(all: number): number {
  return isThorough ? all : Math.ceil(all / 5);
}
