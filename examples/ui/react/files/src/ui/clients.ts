/** The page's clients, one for each object. Components that use the same object share its connection. */
import { useRpcClient } from 'lumenize-rpc/react';
import type { Counter } from '../counter.ts';

export const useCounter = () => useRpcClient<Counter>('COUNTER', 'demo');
