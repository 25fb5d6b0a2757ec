/** Counts, and prints the new value. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Counter } from '../../template/src/counter.ts';

const baseUrl = 'http://localhost:8787';
const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { baseUrl });
console.log(await counter.increment());
counter.close(); // An open connection keeps Node running.
