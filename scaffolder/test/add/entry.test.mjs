/** Additions to a Worker's main file, and the forms that get none. */
import { expect, test } from 'vitest';
import { withEntry } from '../../add/entry.mjs';

const NAMES = { module: 'counter', className: 'Counter', binding: 'COUNTER' };
const IMPORT = `import { routeDORequest } from './rpc/server.ts';\n`;
const EXPORT = `export { Counter } from './counter.ts';\n`;
const CALL = `await routeDORequest(request, env, { prefix: '/__rpc', bindings: ['COUNTER'] })`;
const ROUTE = `    const rpcResponse = ${CALL};\n    if (rpcResponse) return rpcResponse;\n`;
const TYPED = '} satisfies ExportedHandler<Env>;\n';

test.each([
  [
    'a plain one',
    `/** Mine. */\nimport { a } from 'a'; // one\n\nexport default {\n  async fetch(request, env) {\n    return a(request);\n  },\n${TYPED}`,
    `/** Mine. */\nimport { a } from 'a'; // one\n${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(request);\n  },\n${TYPED}`,
  ],
  [
    'without imports',
    `// Mine.\n\nexport default {\n  async fetch(request, env, ctx): Promise<Response> {\n    return new Response('no');\n  },\n${TYPED}`,
    `// Mine.\n\n${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env, ctx): Promise<Response> {\n${ROUTE}    return new Response('no');\n  },\n${TYPED}`,
  ],
  [
    'neither asynchronous nor with bindings',
    `export default {\n  fetch(request) {\n    return new Response('no');\n  }\n${TYPED}`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return new Response('no');\n  }\n${TYPED}`,
  ],
  [
    'without parameters, on one line',
    `export default {\n  fetch() { return new Response('no'); },\n${TYPED}`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE.trimEnd()}\n     return new Response('no'); },\n${TYPED}`,
  ],
  [
    'without bindings, and with types of its own',
    `export default {\n  async fetch(request: Request) {\n    return new Response('no');\n  },\n};\n`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request: Request, env: Cloudflare.Env) {\n${ROUTE}    return new Response('no');\n  },\n};\n`,
  ],
  [
    'without parameters and types',
    `export default {\n  async fetch() {\n    return new Response('no');\n  },\n};\n`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request: Request, env: Cloudflare.Env) {\n${ROUTE}    return new Response('no');\n  },\n};\n`,
  ],
  [
    'with exports of other modules after the imports',
    `import { a } from 'a';\n\nexport { Room } from './room.ts'; // one\nexport { b } from 'b';\n\nexport default {\n  async fetch(request, env) {\n    return a(b);\n  },\n${TYPED}`,
    `import { a } from 'a';\n${IMPORT}\nexport { Room } from './room.ts'; // one\nexport { b } from 'b';\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(b);\n  },\n${TYPED}`,
  ],
  [
    'with an export of its own after the imports',
    `import { a } from 'a';\n\nexport { a };\nexport default {\n  async fetch(request, env) {\n    return a(b);\n  },\n${TYPED}`,
    `import { a } from 'a';\n${IMPORT}\n${EXPORT}\nexport { a };\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(b);\n  },\n${TYPED}`,
  ],
  [
    'with types of its own, after other handlers',
    `export default {\n  async scheduled() { await fetch('x'); },\n  async fetch(request: Request, env: Env, ctx: Ctx): Promise<Response> {\n    return new Response(\`\${\`}\`}\`);\n  },\n};\n`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async scheduled() { await fetch('x'); },\n  async fetch(request: Request, env: Env, ctx: Ctx): Promise<Response> {\n${ROUTE}    return new Response(\`\${\`}\`}\`);\n  },\n};\n`,
  ],
])('is placed in %s', (_, before, after) => {
  expect(withEntry(before, NAMES, false)).toEqual({ text: after });
});

test('takes the names, quotes, semicolons and line ends that are there', () => {
  const before = [
    'import a from "a"',
    'export default {',
    '\tasync fetch(req: Request, bindings: Env) {',
    '\t\treturn a(req)',
    '\t},',
    '}',
  ].join('\r\n');
  const after = [
    'import a from "a"',
    'import { routeDORequest } from "./rpc/server.ts"',
    '',
    'export { Counter } from "./counter.ts"',
    'export default {',
    '\tasync fetch(req: Request, bindings: Env) {',
    '\t\tconst rpcResponse = await routeDORequest(req, bindings, { prefix: "/__rpc", bindings: ["COUNTER"] })',
    '\t\tif (rpcResponse) return rpcResponse',
    '\t\treturn a(req)',
    '\t},',
    '}',
  ].join('\r\n');
  expect(withEntry(before, NAMES, false)).toEqual({ text: after });
});

const BODY = '{ return new Response("x"); }';

test.each([
  ['a variable', `const worker = { fetch(request, env) ${BODY} };\nexport default worker;\n`],
  ['an arrow function', `export default { fetch: async (request, env) => ${BODY} };\n`],
  ['a parameter that is a pattern', `export default { async fetch({ url }, env) ${BODY} ${TYPED}`],
  [
    'a parameter with a default',
    `export default { async fetch(request, env: Env = x) ${BODY} };\n`,
  ],
  ['bindings without a type', `export default { async fetch(request, env) ${BODY} };\n`],
  [
    'bindings of any type',
    `export default { async fetch(request, env) ${BODY} } satisfies ExportedHandler;\n`,
  ],
  [
    'no bindings, in an object of any type',
    `export default { async fetch(request) ${BODY} } satisfies ExportedHandler;\n`,
  ],
  [
    'a promise that is declared',
    `export default { fetch(request, env): Promise<Response> ${BODY} ${TYPED}`,
  ],
  [
    'a name that is taken',
    `const rpcResponse = 1;\nexport default { async fetch(request, env) ${BODY} ${TYPED}`,
  ],
  [
    'two methods',
    `export default { async fetch(request, env) ${BODY}, async fetch(request, env) ${BODY} ${TYPED}`,
  ],
  ['something spread', `export default wrap({ async fetch(request, env) ${BODY} });\n`],
  ['a doubt', `const a = b() }\nexport default { async fetch(request, env) ${BODY} ${TYPED}`],
  ['a comment', `// export default { async fetch(request, env) {\nexport default app;\n`],
])('is left to the user where there is %s', (_, before) => {
  const { text, byHand } = withEntry(before, NAMES, false);
  expect(byHand).toContain(`
// First in the Worker's fetch, whose parameters are request and env:
const rpcResponse = await routeDORequest(request, env,`);
  const added = text.match(/\n*export \{ Counter \}.*\n*/)?.[0] ?? '';
  const [start = '', end = ''] = text.split(added);
  expect([start + end, `${start}\n${end}`]).toContain(before);
});

test.each([
  'export default class extends WorkerEntrypoint<Env> { async fetch(request: Request) {} }',
  'export default class Shop extends WorkerEntrypoint { async fetch() {} }',
  'class Shop extends WorkerEntrypoint { async fetch() {} }\nexport default Shop;',
])('the lines for a class have its bindings: %s', (before) => {
  const { byHand, reason } = withEntry(before, NAMES, false);
  expect(byHand).toContain(`
// First in the method fetch, whose parameter is request: Request:
const rpcResponse = await routeDORequest(request, this.env, {`);
  expect(reason).toBe('its fetch is a method of a class');
});

test.each([
  ['an arrow function', `export default { fetch: async (r) => ${BODY} };`, 'its fetch has a form'],
  ['Hono', 'const app = new Hono().use(x);\nexport default app;', 'its Hono application is'],
  ['a name', 'const rpcResponse = 1;\nexport default {};', 'it uses the name routeDORequest or'],
  ['a doubt', 'const a = b() }', 'this program cannot read all of it'],
  [
    'another class',
    'export class Other extends WorkerEntrypoint {}\nexport default {};',
    'its fetch has a form',
  ],
])('the reason why the user inserts the lines is %s', (_, before, start) => {
  expect(withEntry(before, NAMES, false).reason?.startsWith(start)).toBe(true);
});

const HONO = 'import { Hono } from "hono";\n';
const HEAD_OF_HONO = `${HONO}import { routeDORequest } from "./rpc/server.ts";\n\nexport { Counter } from "./counter.ts";\n`;
const ROUTE_OF_HONO = `

// Before other routes and middleware:
api.all("/__rpc/*", async (c) => {
  return (await routeDORequest(c.req.raw, c.env, { prefix: "/__rpc", bindings: ["COUNTER"] })) ?? c.notFound();
});`;

test.each([
  [
    'with types',
    'const api = new Hono<{ Bindings: { A: string } }>();',
    '\n\napi.use(logger());\n\nexport default api;\n',
  ],
  [
    'with options',
    'export const api = new OpenAPIHono({ strict: false });',
    '\nexport default api;\n',
  ],
])('is placed first in a Hono application %s', (_, made, rest) => {
  expect(withEntry(`${HONO}\n${made}${rest}`, NAMES, false)).toEqual({
    text: `${HEAD_OF_HONO}\n${made}${ROUTE_OF_HONO}${rest}`,
    isHono: true,
  });
});

test('is placed in a Hono application without semicolons', () => {
  const before =
    "import { Hono } from 'hono'\nconst app = new Hono()\napp.get('/', home)\nexport default app\n";
  const { text, byHand } = withEntry(before, NAMES, false);
  expect(byHand).toBeUndefined();
  expect(text).toContain(
    "const app = new Hono()\n\n// Before other routes and middleware:\napp.all('/__rpc/*'",
  );
  expect(text).toContain('c.notFound()\n})\napp.get');
});

test.each([
  ['made without parentheses', 'const api = new Hono\napi.use(logger())\nexport default api\n'],
  ['exported as a part', 'const api = new Hono();\nexport default { fetch: api.fetch };\n'],
  ['exported through a function', 'const api = new Hono();\nexport default wrap(api);\n'],
  ['one of two', 'const api = new Hono();\nconst app = new Hono();\nexport default api;\n'],
  ['one that has the name already', 'const api = new Hono(routeDORequest);\nexport default api;\n'],
])(
  'of a Hono application that is %s it is left to the user, with the name of its variable',
  (_, rest) => {
    const { text, byHand } = withEntry(`${HONO}\n${rest}`, NAMES, false);
    expect(text).toBe(`${HONO}\nexport { Counter } from "./counter.ts";\n\n${rest}`);
    expect(byHand).toContain('api.all("/__rpc/*", async (c) => {');
  },
);

test.each([
  ['of a path', 'const api = new Hono().basePath("/api");\nexport default api;\n'],
  ['on the next line', 'const api = new Hono()\n  .get("/", home)\nexport default api\n'],
  ['with a type', 'const api: Hono<E> = new Hono<E>().get("/", home);\nexport default api;\n'],
  [
    'in JSX',
    'const api = new Hono();\napi.get("/", () => <p>Hi</p>);\nexport default api;\n',
    true,
  ],
])(
  'a chain %s is left to the user, as a part of another default export',
  (_, rest, isJsx = false) => {
    const { byHand, isHono } = withEntry(`${HONO}\n${rest}`, NAMES, isJsx);
    expect(isHono).toBe(true);
    expect(byHand?.replaceAll(';', '')).toContain(`
// In place of the default export, where api is your Hono application:
export default {
  async fetch(request, env, ctx) {
    const rpcResponse = await routeDORequest(request, env, { prefix: "/__rpc", bindings: ["COUNTER"] })
    return rpcResponse ?? api.fetch(request, env, ctx)
  },
} satisfies ExportedHandler<Cloudflare.Env>`);
  },
);

test('a chain without a variable gets one', () => {
  const { byHand } = withEntry('export default new Hono().get("/", home);\n', NAMES, false);
  expect(byHand).toContain('where app is your Hono application:');
});

test('where tags are no tokens, the class is exported at the end', () => {
  const before = `export default { fetch: () => <p>Don't</p> };`;
  const { text, byHand } = withEntry(before, NAMES, true);
  expect(text).toBe(`${before}\n\n${EXPORT.trimEnd()}`);
  expect(byHand).toContain('routeDORequest');
});
