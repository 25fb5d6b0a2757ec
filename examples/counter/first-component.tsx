/** Shows the value, which is live, and counts when it is pressed. */
import { useLive, useRpcClient } from 'lumenize-rpc/react';

// The interface is declared here, because the types of a page and of the Worker are checked separately.
interface Counter {
  increment(by?: number): number;
  getValue(): number;
}

export function Count() {
  const counter = useRpcClient<Counter>('COUNTER', 'my-counter');
  const { value } = useLive(counter, (methods) => methods.getValue());
  return <button onClick={() => void counter.increment()}>{value}</button>;
}
