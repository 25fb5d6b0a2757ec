/** Shows the value, which is live, and counts when it is pressed. */
import { createRpcClient } from 'lumenize-rpc/client';
import { useLive } from 'lumenize-rpc/react';

// Declared here, because the types of a page and of the Worker are checked apart.
interface Counter {
  increment(by?: number): number;
  getValue(): number;
}

const counter = createRpcClient<Counter>('COUNTER', 'my-counter');

export function Count() {
  const { value } = useLive(counter, (methods) => methods.getValue());
  return <button onClick={() => void counter.increment()}>{value}</button>;
}
