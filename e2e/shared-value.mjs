/** A page in which two components show the same live value, for the tests of the hooks for React. */

/**
 * The page's buttons unmount the components one after the other, and change the value.
 *
 * @param {string} setup - imports what it needs, and declares the client `counter`
 * @returns {string} a module
 */
export function pageOf(setup) {
  return `import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createRpcClient } from 'lumenize-rpc/client';
import { useLive } from 'lumenize-rpc/react';
${setup}
const Value = () => <output>{useLive(counter, (methods) => methods.getValue()).value}</output>;

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
