/** The lanes with their cards. A move is shown at once, and taken back if the object rejects it. */
import { type DragEvent, type FormEvent, memo, useMemo } from 'react';
import { useOptimisticLive } from 'lumenize-rpc/react';
import { type Card, type Lane, LANES, type Lanes, moved } from '../../board-moves.ts';
import { Problem, useCall } from '../status.tsx';
import { Attachment } from './attachment.tsx';
import type { BoardClient } from './board-client.ts';

const TITLES: Record<Lane, string> = { todo: 'To do', doing: 'Doing', done: 'Done' };

export function LanesOfMember({ board, mayEdit }: { board: BoardClient; mayEdit: boolean }) {
  const [{ value, error }, optimistic] = useOptimisticLive(board, (methods) => methods.lanes());
  const [problem, call] = useCall();
  // The object stays the same in each render, so a card is rendered again only if it has changed.
  const edits = useMemo(
    (): Edits => ({
      board,
      move: (id, lane, before) =>
        call(() =>
          optimistic(board.move(id, lane, before), (lanes) => moved(lanes, id, lane, before)),
        ),
      remove: (id) => call(() => board.remove(id)),
    }),
    [board, optimistic],
  );

  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    call(async () => {
      await board.add(String(new FormData(form).get('title')));
      form.reset();
    });
  };

  return (
    <>
      <LaneList lanes={value} edits={edits} mayEdit={mayEdit} />
      {mayEdit && (
        <form className="row" onSubmit={add}>
          <label htmlFor="title">New card</label>
          <input id="title" name="title" className="long" maxLength={200} autoComplete="off" />
          <button className="primary">Add card</button>
        </form>
      )}
      <Problem of={[problem, error]} />
    </>
  );
}

/** The actions of a member on a card. */
interface Edits {
  board: BoardClient;
  move(id: string, lane: Lane, before?: string): void;
  remove(id: string): void;
}

interface OfCards {
  /** The actions. They are left out for visitors. */
  edits?: Edits;
  mayEdit?: boolean;
}

export function LaneList({ lanes, ...rest }: OfCards & { lanes: Lanes | undefined }) {
  return (
    <div className="lanes" aria-busy={!lanes}>
      {LANES.map((lane) => (
        <OneLane key={lane} lane={lane} cards={lanes?.[lane]} {...rest} />
      ))}
    </div>
  );
}

const OneLane = memo(({ lane, cards = [], ...rest }: OfCards & { lane: Lane; cards?: Card[] }) => {
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const before = (event.target as Element).closest('li')?.dataset['id'];
    rest.edits?.move(event.dataTransfer.getData('text/plain'), lane, before);
  };
  return (
    <div className="lane" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <h3>
        {TITLES[lane]} <small>{cards.length}</small>
      </h3>
      <ul aria-label={TITLES[lane]}>
        {cards.map((card) => (
          <CardItem key={card.id} card={card} lane={lane} {...rest} />
        ))}
      </ul>
    </div>
  );
});

const CardItem = memo(({ card, lane, edits, mayEdit }: OfCards & { card: Card; lane: Lane }) => {
  const { id, title } = card;
  const at = LANES.indexOf(lane);
  const moveTo = (sign: string, to: Lane | undefined) =>
    to && (
      <button aria-label={`Move ${title} to ${TITLES[to]}`} onClick={() => edits?.move(id, to)}>
        {sign}
      </button>
    );
  return (
    <li
      data-id={id}
      draggable={mayEdit}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', id)}
    >
      <p>{title}</p>
      {edits && (
        <div className="actions">
          <Attachment board={edits.board} card={card} mayEdit={mayEdit} />
          {mayEdit && (
            <>
              {moveTo('←', LANES[at - 1])}
              {moveTo('→', LANES[at + 1])}
              <button aria-label={`Remove ${title}`} onClick={() => edits.remove(id)}>
                ✕
              </button>
            </>
          )}
        </div>
      )}
    </li>
  );
});
