/** Where a caller is that runs in the Workers runtime: beside the Worker that it calls. */
import { env, exports } from 'cloudflare:workers';
import { WorkerSocket } from '../../runtime/src/testing/worker-socket.ts';
import type { TestEnv } from '../worker.ts';
import type { Place } from './caller.ts';

// The runner has it; the types of the Workers runtime do not.
const { inspect } = await import('node:util' as string);

export const workersPlace: Place = {
  baseUrl: 'https://example.com',
  WebSocket: WorkerSocket,
  fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  inspect,
  stub: (binding, instance) => (env as TestEnv)[binding as 'HIBERNATING'].getByName(instance),
};
