/** Clients of Durable Objects inside tests in the Workers runtime, with `@cloudflare/vitest-plugin`. */
export { collect } from './testing/collect.ts';
export { connect, type ConnectOptions } from './testing/connect.ts';
export { cut, loseAnswer, type WorkerUnderTest } from './testing/network.ts';
