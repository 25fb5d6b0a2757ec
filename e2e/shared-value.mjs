/** A page in which two components share a subscription, for the tests of the hook for React. Imports nothing. */

/**
 * The page's buttons unmount the components one after the other, and change the value.
 *
 * @param {string} setup - imports what it needs, and declares the client `counter`
 * @returns {string} a module for `src/ui/` of a project with `--ui react`
 */
export function pageOf(setup) {
  return `import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createRpcClient } from '../rpc/client.ts';
import { subscribe } from '../rpc/client/subscribe.ts';
import { useLive } from './use-live.ts';
${setup}
const liveValue = subscribe(counter).getValue();
const Value = () => <output>{useLive(liveValue).value}</output>;

function Page() {
  const [count, setCount] = useState(2);
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <Value key={index} />
      ))}
      <button onClick={() => setCount(count - 1)}>Fewer</button>
      <button onClick={() => void counter.increment()}>Increment</button>
    </>
  );
}

const root = document.body.appendChild(document.createElement('div'));
createRoot(root).render(<StrictMode><Page /></StrictMode>);
`;
}
