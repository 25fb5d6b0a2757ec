/**
 * Writes the source of a Worker whose object has as many methods as the object of a large application. The module is
 * pure.
 */

/** The library of the schemas. */
export type Library = 'TypeBox' | 'Valibot';

interface Method {
  parameters: string;
  schemas: Record<Library, string>;
}

const IMPORTS: Record<Library, string> = {
  TypeBox: "import * as Type from 'lumenize-rpc/typebox';",
  Valibot: "import * as v from 'valibot';",
};

const OF_INCREMENT: Record<Library, string> = {
  TypeBox: 'Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))',
  Valibot: 'v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)))',
};

/** Parameters and schemas. The many methods take these entries in turns. */
const METHODS: readonly Method[] = [
  {
    parameters: 'id: string',
    schemas: {
      TypeBox: 'Type.String({ minLength: 1, maxLength: 64 })',
      Valibot: 'v.pipe(v.string(), v.minLength(1), v.maxLength(64))',
    },
  },
  {
    parameters: 'count: number, step?: number',
    schemas: {
      TypeBox:
        'Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Optional(Type.Number({ exclusiveMinimum: 0 }))',
      Valibot:
        'v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), v.optional(v.pipe(v.number(), v.gtValue(0)))',
    },
  },
  {
    parameters: 'order: { id: string; lines: { sku: string; count: number }[]; note?: string }',
    schemas: {
      TypeBox: `Type.Object({
    id: Type.String({ pattern: '^[a-z0-9-]{8,36}$' }),
    lines: Type.Array(Type.Object({ sku: Type.String({ maxLength: 32 }), count: Type.Integer({ minimum: 1 }) }), { maxItems: 200 }),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  })`,
      Valibot: `v.object({
    id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{8,36}$/)),
    lines: v.pipe(
      v.array(v.object({ sku: v.pipe(v.string(), v.maxLength(32)), count: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
      v.maxLength(200),
    ),
    note: v.optional(v.pipe(v.string(), v.maxLength(2_000))),
  })`,
    },
  },
  {
    parameters: "state: 'open' | 'paid' | 'sent' | 'closed', at: number",
    schemas: {
      TypeBox:
        "Type.Union([Type.Literal('open'), Type.Literal('paid'), Type.Literal('sent'), Type.Literal('closed')]), Type.Number()",
      Valibot: "v.picklist(['open', 'paid', 'sent', 'closed']), v.number()",
    },
  },
  {
    parameters: 'tags: string[], isPublic: boolean',
    schemas: {
      TypeBox: 'Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50 }), Type.Boolean()',
      Valibot: 'v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(50)), v.boolean()',
    },
  },
  {
    parameters: 'scores: Record<string, number>',
    schemas: {
      TypeBox: 'Type.Record(Type.String(), Type.Number())',
      Valibot: 'v.record(v.string(), v.number())',
    },
  },
];

/**
 * @param count - the number of methods besides `increment`
 * @param library - the library of the schemas
 * @returns TypeScript
 */
export function manyMethods(count: number, library: Library): string {
  const all = Array.from({ length: count }, (_, index) => ({
    ...(METHODS[index % METHODS.length] as Method),
    name: `method${index + 1}`,
    isRead: index % 3 === 1,
  }));
  const methods = all.map(({ name, parameters }) => {
    const names = parameters.replaceAll(/\{[^]*\}(\[\])?/g, '').match(/\w+(?=\??:)/g) ?? [];
    return `  ${name}(${parameters}): unknown {
    return this.ctx.storage.kv.get(JSON.stringify(['${name}', ${names.join(', ')}]));
  }`;
  });
  const entries = all.map(({ name, schemas, isRead }) =>
    isRead ? `  ${name}: read([${schemas[library]}]),` : `  ${name}: [${schemas[library]}],`,
  );
  return `import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, routeDORequest } from 'lumenize-rpc/server';
${IMPORTS[library]}

class ManyImpl extends DurableObject {
  increment(by = 1): number {
    const value = (this.ctx.storage.kv.get<number>('value') ?? 0) + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

${methods.join('\n\n')}
}

export const Counter = lumenizeRpcDO(ManyImpl, {
  increment: [${OF_INCREMENT[library]}],
${entries.join('\n')}
});

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await routeDORequest(request, env, { bindings: ['COUNTER'] });
    return response ?? new Response('Not found', { status: 404 });
  },
};
`;
}
