/** The users who look at the board, and their pointers. */
import { type PointerEvent, type ReactNode } from 'react';
import { usePresence } from 'lumenize-rpc/react';
import type { BoardClient } from './board-client.ts';

/** Returns a color, which is always the same for a name. */
const hue = (name: string): object => ({
  '--hue': [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 360,
});

/** @param children - the content below the pointers */
export function Cursors({ board, children }: { board: BoardClient; children: ReactNode }) {
  const { value: others = [], update } = usePresence(board, (methods) => methods.cursors());

  const point = ({ clientX, clientY, currentTarget }: PointerEvent): void => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    update(Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1));
  };

  return (
    <div className="cursors" onPointerMove={point} onPointerLeave={() => update()}>
      {children}
      {others.map(({ key, value: { user, x, y } }) => (
        <span
          key={key}
          className="cursor"
          aria-hidden
          style={{ left: `${x * 100}%`, top: `${y * 100}%`, ...hue(user) }}
        >
          {user}
        </span>
      ))}
    </div>
  );
}
