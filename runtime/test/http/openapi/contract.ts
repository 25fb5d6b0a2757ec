/** A contract with every kind of entry and schema, for the tests of the document. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as Type from '../../../src/typebox.ts';
import {
  callback,
  capability,
  compileContract,
  events,
  live,
  presence,
  read,
  rows,
  stream,
  streamOf,
} from '../../../src/server.ts';

class SessionImpl {
  balance(): number {
    return 0;
  }
}

const Session = capability(SessionImpl, [], { balance: read() });

const Tree = Type.Cyclic(
  { Tree: Type.Object({ value: Type.BigInt(), children: Type.Array(Type.Ref('Tree')) }) },
  'Tree',
);

const Item = Type.Object(
  { sku: Type.String({ examples: ['A-1'] }), count: Type.Integer({ minimum: 1 }) },
  { $id: 'Item', title: 'item' },
);

const Category: z.ZodType<{ name: string; children: object[] }> = z
  .object({
    name: z.string(),
    get children() {
      return z.array(Category);
    },
  })
  .meta({ id: 'Category' });

export const contract = compileContract({
  // These are the kinds of entries.
  increment: [Type.Optional(Type.Integer({ title: 'by', minimum: 1, examples: [2] }))],
  reset: {
    input: [],
    output: Type.Void(),
    title: 'Reset',
    description: 'Sets the counter to 0.',
  },
  value: live([], { output: Type.Integer() }),
  history: read([Type.Integer({ title: 'limit', maximum: 100 })], {
    output: Type.Array(Type.Number()),
  }),
  news: events([], { output: Type.String() }),
  digits: stream([Type.Integer()]),
  cursors: presence([Type.Optional(Type.Integer())], { output: Type.Integer() }),
  seats: rows('place', [Type.Optional(Type.String())]),
  // These methods have arguments as a list, by name, and as one object.
  range: [Type.Integer(), Type.Optional(Type.Integer())],
  move: [Type.String({ title: 'from' }), Type.String({ title: 'to' })],
  order: [Item],
  find: read([
    Type.Object({ text: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
  ]),
  between: read([Type.Integer(), Type.Integer()]),
  // These methods need values that JSON lacks.
  login: { input: [Type.String()], returns: Session },
  use: [Session],
  load: [callback([Type.Number()])],
  upload: [streamOf(Type.String())],
  big: [Type.BigInt()],
  notify: [
    Type.Object({ text: Type.String(), done: Type.Optional(callback()) }, { title: 'message' }),
  ],
  // These methods have schemas of TypeBox.
  tree: { input: [Tree], output: Tree },
  grown: read([], { output: Tree }),
  pair: read([], { output: Type.Tuple([Type.String(), Type.Number()]) }),
  found: read([], { output: Type.Union([Item, Type.Undefined()]) }),
  balances: read([], {
    output: Type.Record(Type.String(), Type.BigInt({ description: 'Cents.' })),
  }),
  // These methods have schemas of other libraries.
  zod: {
    input: [z.object({ email: z.email(), age: z.coerce.number().int().optional() })],
    output: z.object({ at: z.date(), bytes: z.instanceof(Uint8Array), tags: z.set(z.string()) }),
  },
  category: { input: [Category], output: Category },
  zodDefault: [z.string().default('x').meta({ title: 'name' })],
  zodDate: [z.date()],
  zodCoerced: [z.coerce.date().meta({ title: 'day' })],
  mini: [mini.object({ email: mini.email() })],
  valibot: {
    input: [toStandardJsonSchema(v.object({ email: v.pipe(v.string(), v.email()) }))],
    output: toStandardJsonSchema(v.object({ at: v.date(), total: v.bigint() })),
  },
  valibotPlain: [v.string()],
  arktype: {
    input: [type({ email: 'string.email', 'age?': 'number.integer >= 0' })],
    output: type({ at: 'Date', total: 'bigint', 'bytes?': type.instanceOf(Uint8Array) }),
  },
});
