/**
 * The worker under test: the producer, wrapped in each way that changes what a stream survives, behind a router that
 * sets the caller to the name in a request.
 */
import * as Type from '../../../src/typebox.ts';
import { events, live, bytes, lumenizeRpcDO, read, rows, stream } from '../../../src/server.ts';
import { route } from '../../served/routed.ts';
import { ProducerImpl, Reader } from './producer.ts';

const text = Type.String();
const integer = Type.Integer();
const count = stream([text, integer, integer], { readonly: true });

const id = rows('id', [Type.Optional(integer)]);

const contract = {
  count,
  countSoon: count,
  countQuickly: count,
  write: stream([text, integer]),
  written: live(),
  gated: stream([text], { readonly: true }),
  open: [text],
  failAt: stream([text, integer]),
  failAtEnd: stream([text]),
  unsendableAt: stream([text, integer]),
  texts: count,
  promises: stream([], { readonly: true }),
  refusals: stream([text]),
  rich: stream([], { readonly: true }),
  bytes: count,
  values: stream([text, integer], { readonly: true }),
  later: stream([text, integer]),
  number: stream(),
  plain: stream(),
  literal: stream(),
  mislabelled: stream(),
  noFeed: events(),
  foreignFeed: events(),
  unlistedStream: [],
  unlistedFeed: [],
  who: stream([], { readonly: true }),
  response: read(),
  request: read(),
  fill: [integer],
  rows: rows('place', [integer, Type.Optional(text)]),
  numbers: rows('number', [Type.Optional(integer)]),
  large: rows('id', [integer, integer, Type.Optional(integer)]),
  gatedRows: rows('id', [text, Type.Optional(integer)]),
  mixed: rows('id', [integer, Type.Optional(integer)]),
  days: rows('id', [Type.Unsafe<Date>(Type.Unknown()), Type.Optional(integer)]),
  forgetful: id,
  inclusive: id,
  twice: id,
  placeless: id,
  failAfter: id,
  refusing: id,
  wide: rows('place', [Type.Optional(text)]),
  pages: read(),
  trace: read([text]),
  lives: read(),
  reader: { input: [], returns: Reader },
  revokeReader: [],
  closeReaders: [],
  bar: [text],
  barring: stream([text, text], { readonly: true }),
  connected: read([text]),
} as const;

export const Default = lumenizeRpcDO(ProducerImpl, contract, { use: [bytes] });
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(ProducerImpl, contract, { hibernate: false });

/** Has small limits and a short timeout. */
export const Strict = lumenizeRpcDO(ProducerImpl, contract, {
  limits: { streams: 3 },
  streamTimeout: 300,
  exposeErrorDetails: false,
  onError: (error) => new Error(`seen: ${(error as Error).message}`),
});

export default {
  fetch: (request: Request, env: Record<string, unknown>): Promise<Response> =>
    // The text after a dot can change while the identity stays.
    route(request, env, (user) => [{ user }, user.split('.')[0]]),
};
