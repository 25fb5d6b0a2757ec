/** The link. An owner makes it and takes it back, and visitors see the board as long as it exists. */
import { useMemo, useState } from 'react';
import { capabilityAt, tokenOf } from 'lumenize-rpc/client';
import { useLive } from 'lumenize-rpc/react';
import type { Visitor } from '../../board-link.ts';
import { Problem, useCall } from '../status.tsx';
import { type BoardClient, useBoard } from './board-client.ts';
import { LaneList } from './lanes.tsx';

/** The token from the address of the link. Browsers do not send the part after the `#`, so no log contains it. */
export const TOKEN = decodeURIComponent(location.hash.slice(1));

export function Share({ board }: { board: BoardClient }) {
  const { value: isShared } = useLive(board, (methods) => methods.isShared());
  const [problem, call] = useCall();
  const [token, setToken] = useState('');
  return (
    <div>
      <h3>Link</h3>
      <div className="actions">
        <button onClick={() => call(async () => setToken(tokenOf(await board.share())))}>
          {isShared ? 'Show link' : 'Make a link'}
        </button>
        {isShared && <button onClick={() => call(() => board.unshare())}>Take it back</button>}
      </div>
      {isShared && token && (
        <a href={`${location.pathname}${location.search}#${encodeURIComponent(token)}`}>
          Everybody who has this link can see the cards
        </a>
      )}
      <Problem of={[problem]} />
    </div>
  );
}

export function LanesOfVisitor({ token }: { token: string }) {
  const board = useBoard('visitor');
  const visitor = useMemo(() => capabilityAt<Visitor>(board, token), [board, token]);
  const { value, error } = useLive(visitor, (methods) => methods.lanes());
  return (
    <section className="board">
      <h2>A board that was shared with you</h2>
      {error ? <p role="alert">This link was taken back.</p> : <LaneList lanes={value} />}
    </section>
  );
}
