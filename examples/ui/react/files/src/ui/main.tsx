/** The page. Begin here. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CounterPanel } from './counter.tsx';
import { RoomPanel } from './room.tsx';

function Page() {
  return (
    <>
      <header>
        <h1>A counter and a room in Durable Objects</h1>
        <p>
          Open the page twice: both pages show the same number and the same messages. The objects
          are in <code>src/counter.ts</code> and <code>src/room.ts</code>, the components in{' '}
          <code>src/ui/</code>. The guide is <code>README.md</code>.
        </p>
      </header>
      <main>
        <CounterPanel />
        <RoomPanel />
      </main>
    </>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
