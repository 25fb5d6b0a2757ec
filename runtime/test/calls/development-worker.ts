/** A Worker that is bundled for development. It answers whether a class can be defined. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO } from '../../src/server.ts';

export class Tally extends DurableObject {}

export default {
  fetch(): Response {
    try {
      lumenizeRpcDO(Tally, {});
      return new Response('defined');
    } catch (error) {
      return new Response(String(error));
    }
  },
};
