/** The activity on the board: the newest events, later events as they happen, and older events page by page. */
import { useFeed } from 'lumenize-rpc/react';
import { Problem } from '../status.tsx';
import type { BoardClient } from './board-client.ts';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

export function ActivityList({ board }: { board: BoardClient }) {
  const { events, hasOlder, isLoading, loadOlder, error } = useFeed(
    board,
    (methods) => methods.activity(),
    (methods, before) => methods.history(before),
  );
  return (
    <div>
      <h3>Activity</h3>
      <ol className="activity" tabIndex={0} aria-label="Activity" aria-busy={isLoading}>
        {events.toReversed().map(({ cursor, event: { at, user, text } }) => (
          <li key={cursor}>
            <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time> {user} {text}
          </li>
        ))}
      </ol>
      {hasOlder && (
        <button disabled={isLoading} onClick={() => void loadOlder()}>
          Older
        </button>
      )}
      <Problem of={[error]} />
    </div>
  );
}
