/** Shows errors. Imports react. */
import { useState } from 'react';

/** @returns the error of the last call, and a function that makes a call */
export function useCall(): [problem: unknown, call: (action: () => Promise<unknown>) => void] {
  const [problem, setProblem] = useState<unknown>();
  const call = (action: () => Promise<unknown>): void => {
    action().then(() => setProblem(undefined), setProblem);
  };
  return [problem, call];
}

/** Shows the first problem that is not `undefined`. */
export function Problem({ of }: { of: unknown[] }) {
  const problem = of.find((one) => one !== undefined);
  return <p role="alert">{problem === undefined ? '' : String(problem)}</p>;
}
