/** Adds a card to the board, and prints the cards of its first lane. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Board } from './src/board.ts';

const board = createRpcClient<Board>('BOARD', 'demo', {
  baseUrl: 'http://localhost:8787',
  protocols: ['user.Ada'],
});
await board.join();
await board.add('Buy tea');
const { todo } = await board.lanes();
console.log(todo.map(({ title }) => title));
board.close(); // An open connection keeps Node running.
