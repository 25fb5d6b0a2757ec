/** The page's clients. All components share them, so each object has one connection. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Counter } from '../counter.ts';
import type { Room } from '../room.ts';

export const counter = createRpcClient<Counter>('COUNTER', 'demo');
export const room = createRpcClient<Room>('ROOM', 'lobby');
