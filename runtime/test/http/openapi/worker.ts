/** The Worker that generated clients call: a library of books, and its document. */
import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { openApi, routeHttpRequest, type ServedOpenApi } from '../../../src/http.ts';
import {
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  RpcError,
} from '../../../src/server.ts';
import * as Type from '../../../src/typebox.ts';

interface Book {
  isbn: string;
  title: string;
  pages: number;
  rating?: number | null;
  state: 'new' | 'used';
  authors: string[];
}

interface Shelf {
  name: string;
  shelves: Shelf[];
}

class LibraryImpl extends DurableObject {
  add(book: Book): Book {
    this.arrivals().append(book.title);
    this.ctx.storage.kv.put('books', [...this.find({}), book]);
    return book;
  }

  arrivals(): Feed<string> {
    return feed(this, 'arrivals');
  }

  count(): number {
    return this.find({}).length;
  }

  find({ title, states }: { title?: string; states?: string[] }): Book[] {
    const books = this.ctx.storage.kv.get<Book[]>('books') ?? [];
    return books.filter(
      (book) =>
        (title === undefined || book.title === title) && (states?.includes(book.state) ?? true),
    );
  }

  get(isbn: string): Book | undefined {
    return this.find({}).find((book) => book.isbn === isbn);
  }

  move(from: string, to: string, count = 1): string {
    return `${count} from ${from} to ${to}`;
  }

  sum(first: number, second: number): number {
    return first + second;
  }

  between(first: number, last: number): number[] {
    return Array.from({ length: last - first }, (_, index) => first + index);
  }

  clear(): void {
    this.ctx.storage.kv.delete('books');
  }

  shelves(depth: number): Shelf {
    return { name: `${depth}`, shelves: depth > 0 ? [this.shelves(depth - 1)] : [] };
  }

  lend({ isbn, until }: { isbn: string; until: Date }): { isbn: string; until: Date; fee: bigint } {
    return { isbn, until, fee: 12_345_678_901_234_567_890n };
  }

  burn(): never {
    throw new RpcError('FORBIDDEN', 'Books are not burnt');
  }
}

const Book = Type.Object(
  {
    isbn: Type.String({ examples: ['978-0'] }),
    title: Type.String(),
    pages: Type.Integer({ minimum: 1 }),
    rating: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    state: Type.Union([Type.Literal('new'), Type.Literal('used')]),
    authors: Type.Array(Type.String()),
  },
  { $id: 'Book' },
);

const ShelfSchema: z.ZodType<Shelf> = z
  .object({
    name: z.string(),
    get shelves() {
      return z.array(ShelfSchema);
    },
  })
  .meta({ id: 'Shelf' });

export const Library = lumenizeRpcDO(LibraryImpl, {
  add: { input: [Book], output: Book, title: 'Add a book' },
  arrivals: events([], { output: Type.String() }),
  count: live([], { output: Type.Integer() }),
  find: read(
    [
      Type.Object({
        title: Type.Optional(Type.String()),
        states: Type.Optional(Type.Array(Type.String())),
      }),
    ],
    { output: Type.Array(Book) },
  ),
  get: read([Type.String({ title: 'isbn' })], { output: Type.Union([Book, Type.Undefined()]) }),
  move: {
    input: [
      Type.String({ title: 'from' }),
      Type.String({ title: 'to' }),
      Type.Optional(Type.Integer({ title: 'count' })),
    ],
    output: Type.String(),
  },
  sum: { input: [Type.Number(), Type.Number()], output: Type.Number() },
  between: read([Type.Integer(), Type.Integer()], { output: Type.Array(Type.Integer()) }),
  clear: { input: [], output: Type.Void() },
  shelves: read([Type.Integer({ title: 'depth' })], { output: ShelfSchema }),
  lend: {
    input: [z.object({ isbn: z.string(), until: z.coerce.date() })],
    output: z.object({ isbn: z.string(), until: z.date(), fee: z.bigint() }),
  },
  burn: [],
});
export type Library = InstanceType<typeof Library>;

const classes = { LIBRARY: Library };
const openapi: ServedOpenApi = {
  generator: openApi,
  info: { title: 'Library', version: '1.0.0' },
  securitySchemes: { login: { type: 'http', scheme: 'bearer' } },
  security: [{ login: [] }],
};

const isLoggedIn = ({ headers }: Request): boolean =>
  headers.get('Authorization') === 'Bearer secret';

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await routeHttpRequest(request, env, {
      classes,
      openapi,
      onBeforeRequest: (asked, { binding }) =>
        // The document is public.
        binding === '' || isLoggedIn(asked) ? undefined : new Response(null, { status: 401 }),
    });
    return response ?? new Response('Not found', { status: 404 });
  },
};
