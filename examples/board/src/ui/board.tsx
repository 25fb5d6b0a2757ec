/** The board, for its members and for the visitors of its link. `?user=Bob` names a member. */
import { useEffect } from 'react';
import { useLive } from 'lumenize-rpc/react';
import { ActivityList } from './board/activity.tsx';
import { USER, useBoard } from './board/board-client.ts';
import { Cursors } from './board/cursors.tsx';
import { LanesOfMember } from './board/lanes.tsx';
import { LanesOfVisitor, Share, TOKEN } from './board/link.tsx';
import { Members } from './board/members.tsx';
import { ConnectionLine, Problem } from './status.tsx';
import './board.css';

export function BoardPanel() {
  return TOKEN ? <LanesOfVisitor token={TOKEN} /> : <Board />;
}

function Board() {
  const board = useBoard();
  const { value: members = [], error } = useLive(board, (methods) => methods.members());
  const role = members.find(({ user }) => user === USER)?.role ?? 'viewer';
  useEffect(() => void board.join().catch(() => {}), [board]);
  return (
    <section className="board">
      <h2>
        {USER}, {role}
      </h2>
      <ConnectionLine of={board} />
      <Cursors board={board}>
        <LanesOfMember board={board} mayEdit={role !== 'viewer'} />
      </Cursors>
      <div className="panels">
        <ActivityList board={board} />
        <Members board={board} members={members} mayChange={role === 'owner'} />
        {role === 'owner' && <Share board={board} />}
      </div>
      <Problem of={[error]} />
    </section>
  );
}
