/** A customer logs in, pays another customer, and prints the balance that is left. */
import { capabilities, createRpcClient } from 'lumenize-rpc/client';
import type { Bank } from './src/bank.ts';

const baseUrl = 'http://localhost:8787';
const bank = createRpcClient<Bank>('BANK', crypto.randomUUID(), { baseUrl, capabilities });
const token = crypto.randomUUID();
await bank.register('ann', token);
await bank.register('bob', crypto.randomUUID());
const session = await bank.login('ann', token);
console.log(await session.transfer('bob', 30));
bank.close(); // An open connection keeps Node running.
