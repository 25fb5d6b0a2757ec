/**
 * The worker under test: the producer, wrapped in each way that changes what a stream lives through, behind
 * a router that names whoever asks to be named. Imports runtime/src.
 */
import { Type } from 'typebox';
import { lumenizeRpcDO, routeDORequest, withCaller } from '../../runtime/src/server.ts';
import { nameIn } from '../support/named-caller.ts';
import { ProducerImpl, Reader } from './producer.ts';

const text = Type.String();
const integer = Type.Integer();
const count = { input: [text, integer, integer], readonly: true } as const;
const read = { input: [], readonly: true } as const;
const id = { input: [Type.Optional(integer)], readonly: true, cursor: 'id' } as const;

const contract = {
  count,
  countSoon: count,
  countQuickly: count,
  write: [text, integer],
  written: { input: [], readonly: true, live: true },
  gated: { input: [text], readonly: true },
  open: [text],
  failAt: [text, integer],
  failAtEnd: [text],
  unsendableAt: [text, integer],
  texts: count,
  promises: read,
  refusals: [text],
  rich: read,
  bytes: count,
  values: { input: [text, integer], readonly: true },
  later: [text, integer],
  number: read,
  plain: read,
  literal: read,
  who: read,
  response: read,
  request: read,
  fill: [integer],
  rows: { input: [integer, Type.Optional(text)], readonly: true, cursor: 'place' },
  numbers: { input: [Type.Optional(integer)], readonly: true, cursor: 'number' },
  large: { input: [integer, integer, Type.Optional(integer)], readonly: true, cursor: 'id' },
  gatedRows: { input: [text, Type.Optional(integer)], readonly: true, cursor: 'id' },
  mixed: { input: [integer, Type.Optional(integer)], readonly: true, cursor: 'id' },
  days: {
    input: [Type.Unsafe<Date>(Type.Unknown()), Type.Optional(integer)],
    readonly: true,
    cursor: 'id',
  },
  forgetful: id,
  inclusive: id,
  twice: id,
  placeless: id,
  failAfter: id,
  refusing: id,
  wide: { input: [Type.Optional(text)], readonly: true, cursor: 'place' },
  pages: read,
  trace: { input: [text], readonly: true },
  lives: read,
  reader: { input: [], returns: Reader },
  revokeReader: [],
  closeReaders: [],
  bar: [text],
  barring: { input: [text, text], readonly: true },
  connected: { input: [text], readonly: true },
} as const;

export const Default = lumenizeRpcDO(ProducerImpl, contract);
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(ProducerImpl, contract, { hibernate: false });

/** Impatient, and lets clients have little. */
export const Strict = lumenizeRpcDO(ProducerImpl, contract, {
  limits: { streams: 3 },
  streamTimeout: 300,
  exposeErrorDetails: false,
  onError: (error) => new Error(`seen: ${(error as Error).message}`),
});

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    const user = nameIn(request);
    // What follows a dot can change while the identity stays.
    const name = (upgrade: Request): Request | void => {
      if (user) return withCaller(upgrade, { user }, user.split('.')[0]);
    };
    const response = await routeDORequest(request, env, { onBeforeConnect: name });
    return response ?? new Response('Not found', { status: 404 });
  },
};
