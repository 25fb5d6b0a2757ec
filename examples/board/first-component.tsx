/** Shows the cards of the board, which are live, and moves a card when it is pressed. */
import { useOptimisticLive, useRpcClient } from 'lumenize-rpc/react';

// The type is declared here, because the types of a page and of the Worker are checked separately.
type Card = { id: string; title: string };
interface Board {
  lanes(): { todo: Card[]; doing: Card[]; done: Card[] };
  move(id: string, lane: 'todo' | 'doing' | 'done'): void;
}

export function Cards() {
  const board = useRpcClient<Board>('BOARD', 'demo', { protocols: ['user.Ada'] });
  const [{ value }, optimistic] = useOptimisticLive(board, (methods) => methods.lanes());
  const finish = (card: Card) =>
    void optimistic(board.move(card.id, 'done'), ({ todo, doing, done }) => ({
      todo: todo.filter((one) => one !== card),
      doing,
      done: [...done, card],
    }));
  return value?.todo.map((card) => (
    <button key={card.id} onClick={() => finish(card)}>
      {card.title}
    </button>
  ));
}
