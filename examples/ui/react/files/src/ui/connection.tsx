/** The state of a client's connection, as text. */
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
