/** Calls of each kind. The tests find them by their text, and nothing here runs. */
import {
  capabilities,
  createRpcClient,
  liveStore,
  subscribe,
  withOptions,
} from '../../../src/client.ts';
import { useLive } from '../../../src/react.ts';
import { connect } from '../../../src/testing.ts';
import type { Board, BoardApi, PlainBoard } from './board.ts';

export const board = createRpcClient<Board>('BOARD', 'main', { capabilities });
export const plain = createRpcClient<PlainBoard>('BOARD', 'main');
export const api = createRpcClient<BoardApi>('BOARD', 'main');
export const tested = connect<Board>('BOARD', 'main');

export async function calls(): Promise<unknown[]> {
  const pending = board.pen('ann');
  const pen = await pending;
  return [
    board.add('one'),
    plain.add('two'),
    api.add('three'),
    tested.add('four'),
    withOptions(board, { timeout: 5 }).add('five'),
    board.add('six').title,
    board.add('seven').author,
    pending.write('eight'),
    pen.write('nine'),
    withOptions(pen, { timeout: 5 }).write('ten'),
    subscribe(board).cards(),
    subscribe(board).news(),
    subscribe(board).download('txt'),
    subscribe(board).pages(),
    subscribe(plain).cards(),
    subscribe(api).news(),
    subscribe(pen).ink(),
    subscribe(pending).ink(),
    liveStore(board, (methods) => methods.cards()),
    useLive(board, (hooked) => hooked.cards()),
  ];
}
