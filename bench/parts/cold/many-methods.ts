/** Writes the source of a Worker whose object has many methods, as those of a large application. Pure. */

interface Method {
  parameters: string;
  schemas: string;
}

/** What methods take, in turns. */
const METHODS: readonly Method[] = [
  { parameters: 'id: string', schemas: 'Type.String({ minLength: 1, maxLength: 64 })' },
  {
    parameters: 'count: number, step?: number',
    schemas:
      'Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Optional(Type.Number({ exclusiveMinimum: 0 }))',
  },
  {
    parameters: 'order: { id: string; lines: { sku: string; count: number }[]; note?: string }',
    schemas: `Type.Object({
    id: Type.String({ pattern: '^[a-z0-9-]{8,36}$' }),
    lines: Type.Array(Type.Object({ sku: Type.String({ maxLength: 32 }), count: Type.Integer({ minimum: 1 }) }), { maxItems: 200 }),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  })`,
  },
  {
    parameters: "state: 'open' | 'paid' | 'sent' | 'closed', at: number",
    schemas:
      "Type.Union([Type.Literal('open'), Type.Literal('paid'), Type.Literal('sent'), Type.Literal('closed')]), Type.Number()",
  },
  {
    parameters: 'tags: string[], isPublic: boolean',
    schemas: 'Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50 }), Type.Boolean()',
  },
  {
    parameters: 'scores: Record<string, number>',
    schemas: 'Type.Record(Type.String(), Type.Number())',
  },
];

/**
 * @param count - of the methods besides `increment`
 * @returns TypeScript
 */
export function manyMethods(count: number): string {
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
    isRead ? `  ${name}: read([${schemas}]),` : `  ${name}: [${schemas}],`,
  );
  return `import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, routeDORequest } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class ManyImpl extends DurableObject {
  increment(by = 1): number {
    const value = (this.ctx.storage.kv.get<number>('value') ?? 0) + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

${methods.join('\n\n')}
}

export const Counter = lumenizeRpcDO(ManyImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
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
