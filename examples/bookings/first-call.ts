/** Prints the bookings, and tries to hold a place, which fails until the Worker names the caller. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Bookings } from './src/bookings.ts';

const baseUrl = 'http://localhost:8787';
const bookings = createRpcClient<Bookings>('BOOKINGS', 'concert', { baseUrl });
console.log(await bookings.list());
console.log(await bookings.hold('A1').catch((error: Error) => error.message));
bookings.close(); // An open connection keeps Node running.
