/** The Workers runtime as the platform of a caller, which runs beside the Worker that it calls. */
import { env, exports } from 'cloudflare:workers';
import { Network } from '../../src/testing/network.ts';
import type { TestEnv } from '../worker.ts';
import type { Platform } from './caller.ts';

// The test runner has this module, but the types of the Workers runtime do not.
const { inspect } = await import('node:util' as string);

const { WebSocket, fetch } = new Network(exports.default);

export const workersPlatform: Platform = {
  baseUrl: 'https://example.com',
  WebSocket,
  fetch,
  inspect,
  stub: (binding, instance) => (env as TestEnv)[binding as 'HIBERNATING'].getByName(instance),
};
