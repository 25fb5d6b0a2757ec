/** Components that show the state of a connection and the error of a call. */
import { useState } from 'react';
import type { RpcClient } from 'lumenize-rpc/client';
import { useConnectionState } from 'lumenize-rpc/react';

export function ConnectionLine<Target>({ of }: { of: RpcClient<Target> }) {
  const { state = 'connecting', attempt = 0, reason } = useConnectionState(of);
  const why = attempt > 1 ? `${reason}. Is the Worker running (npm run dev)?` : reason;
  return (
    <p className="connection" data-state={state} role="status">
      Connection: {why ? `${state}, ${why}` : state}
    </p>
  );
}

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
