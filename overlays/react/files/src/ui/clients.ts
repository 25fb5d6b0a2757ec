/** The page's clients. All components share them, so each object has one connection. */
import type { Counter } from '../counter.ts';
import type { Room } from '../room.ts';
import { createRpcClient } from 'lumenize-rpc/client';
import { Connection } from './connection.tsx';

export const counterConnection = new Connection();
export const counter = createRpcClient<Counter>('COUNTER', 'demo', {
  onStateChange: counterConnection.change,
});

export const roomConnection = new Connection();
export const room = createRpcClient<Room>('ROOM', 'lobby', {
  onStateChange: roomConnection.change,
});
