/** Prints ten digits of π, each when it arrives. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Pi } from './src/pi.ts';

const baseUrl = 'http://localhost:8787';
const pi = createRpcClient<Pi>('PI', 'digits', { baseUrl });
for await (const digit of subscribe(pi).digits(10)) console.log(digit);
pi.close(); // An open connection keeps Node running.
