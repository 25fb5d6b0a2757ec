/** A Worker whose contract lists no method of its class. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO } from '../../src/server.ts';

export { default } from './production-worker.ts';

class One extends DurableObject {}

// The entry is computed, because a lint rule would find the mistake in a literal.
const contract = Object.fromEntries([['missing', []]]);
const Mistaken = lumenizeRpcDO(One, contract as never);
export { Mistaken as One, Mistaken as Secret };
