/** The page's clients, one for each object. All components share them, so each has one connection. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Counter } from '../counter.ts';

export const counter = createRpcClient<Counter>('COUNTER', 'demo');
