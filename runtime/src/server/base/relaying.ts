/** The functions of relays that the core calls, if a module of the Worker has relays: see `features/relay`. */
import type { Run } from './pending.ts';

export const relaying: {
  /** Called when the constructor of an object with a contract has run. */
  afterConstruction?: (instance: object) => void;
  /** Returns a function that runs a `readonly` method again, as the caller, until all values have arrived. */
  untilArrived?: (run: Run, caller: unknown) => Run;
} = {};
