/** The page. Begin here. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CounterPanel } from './counter.tsx';

function Page() {
  return (
    <>
      <header>
        <h1>A counter in a Durable Object</h1>
        <p>
          Open the page twice: both pages show the same number. The object is in{' '}
          <code>src/counter.ts</code>, the components are in <code>src/ui/</code>. The guide is{' '}
          <code>README.md</code>.
        </p>
      </header>
      <main>
        <CounterPanel />
      </main>
    </>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
