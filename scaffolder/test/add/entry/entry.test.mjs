/** Tests additions to a Worker's main file, and forms of it that are left to the user. */
import { expect, test } from 'vitest';
import { withEntry } from '../../../add/entry/entry.mjs';

const NAMES = {
  objects: [{ module: 'counter', class: 'Counter', binding: 'COUNTER' }],
  extension: '.ts',
  hasPackage: false,
};
const IMPORT = `import { routeDORequest } from 'lumenize-rpc/server';\n`;
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
  [
    'with imports of several kinds, the last of which has no end',
    `import { a } from 'a';\nimport data from './data.json' with { type: 'json' };\nimport 'b'\nconst c = await import('c');\nconst d = { import: import.meta.url };\nconst e = import.meta.url;\n\nexport default {\n  async fetch(request, env) {\n    return a('x');\n  },\n${TYPED}`,
    `import { a } from 'a';\nimport data from './data.json' with { type: 'json' };\nimport 'b'\n${IMPORT}\n${EXPORT}const c = await import('c');\nconst d = { import: import.meta.url };\nconst e = import.meta.url;\n\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a('x');\n  },\n${TYPED}`,
  ],
  ...['with', 'assert'].map((word) => [
    `with JSON as the last import, by ${word}`,
    `import { a } from 'a';\nimport data from './data.json' ${word} { type: 'json' };\n\nexport default {\n  async fetch(request, env) {\n    return Response.json(data);\n  },\n${TYPED}`,
    `import { a } from 'a';\nimport data from './data.json' ${word} { type: 'json' };\n${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return Response.json(data);\n  },\n${TYPED}`,
  ]),
  [
    'behind a line for a shell',
    `#!/usr/bin/env node\n\nexport default {\n  async fetch(request, env) {\n    return new Response('no');\n  },\n${TYPED}`,
    `#!/usr/bin/env node\n\n${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return new Response('no');\n  },\n${TYPED}`,
  ],
  [
    'with exports of other modules further down',
    `import { a } from 'a';\n\nconst b = 1;\n\nexport { c } from 'c';\n\nexport default {\n  async fetch(request, env) {\n    return a(b);\n  },\n${TYPED}`,
    `import { a } from 'a';\n${IMPORT}\n${EXPORT}\nconst b = 1;\n\nexport { c } from 'c';\n\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(b);\n  },\n${TYPED}`,
  ],
  [
    'with an export of types after the imports',
    `import { a } from 'a';\n\nexport type { B } from 'b';\n\nexport default {\n  async fetch(request, env) {\n    return a(request);\n  },\n${TYPED}`,
    `import { a } from 'a';\n${IMPORT}\n${EXPORT}\nexport type { B } from 'b';\n\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(request);\n  },\n${TYPED}`,
  ],
  [
    'with an import at its end',
    `export default {\n  async fetch(request, env) {\n    return a(request);\n  },\n${TYPED}import { a } from 'a';\n`,
    `export default {\n  async fetch(request, env) {\n${ROUTE}    return a(request);\n  },\n${TYPED}import { a } from 'a';\n${IMPORT}\n${EXPORT}`,
  ],
  [
    'with other objects that have a method of the name',
    `const before = {\n  fetch(request) {},\n};\n\nexport default {\n  nested: { fetch(request) {} },\n  async fetch(request, env) {\n    return after.fetch(request);\n  },\n${TYPED}\nconst after = {\n  fetch(request) {},\n};\n`,
    `${IMPORT}\n${EXPORT}\nconst before = {\n  fetch(request) {},\n};\n\nexport default {\n  nested: { fetch(request) {} },\n  async fetch(request, env) {\n${ROUTE}    return after.fetch(request);\n  },\n${TYPED}\nconst after = {\n  fetch(request) {},\n};\n`,
  ],
  [
    'with a comma after the only parameter, whose type has parentheses and another',
    `export default {\n  async fetch(request: Request & { a: () => A, b: B },) {\n    return new Response('no');\n  },\n};\n`,
    `${IMPORT}\n${EXPORT}\nexport default {\n  async fetch(request: Request & { a: () => A, b: B }, env: Cloudflare.Env,) {\n${ROUTE}    return new Response('no');\n  },\n};\n`,
  ],
  [
    'with applications of Hono elsewhere',
    `const cache = new Map();\nfunction hidden() {\n  return new Hono();\n}\n\nexport default {\n  async fetch(request, env) {\n    return new Response('no');\n  },\n${TYPED}`,
    `${IMPORT}\n${EXPORT}\nconst cache = new Map();\nfunction hidden() {\n  return new Hono();\n}\n\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return new Response('no');\n  },\n${TYPED}`,
  ],
  [
    'with divisions and regular expressions',
    `const half = (1 + 1) / 2, third = [1][0]/'}'.length;\nconst brace = /[/}]\\/{/g;\n\nexport default {\n  async fetch(request, env) {\n    return new Response(half / third + '/'.split(/}/));\n  },\n${TYPED}`,
    `${IMPORT}\n${EXPORT}\nconst half = (1 + 1) / 2, third = [1][0]/'}'.length;\nconst brace = /[/}]\\/{/g;\n\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return new Response(half / third + '/'.split(/}/));\n  },\n${TYPED}`,
  ],
  ...[
    ['a private field that is divided', 'class A { #b = 1; c() { return this.#b / 2; } }'],
    ['a count that is divided', "const half = a++ / 2 + ')'.length;"],
    ['a regular expression after a condition', 'if (a) /[)}]/.exec(b);'],
    ['a regular expression with a class of slashes', 'const slash = /[/)]/u;'],
    ['a division in a template literal', 'const text = `${{ a: 1 }.a / 2} / ${`}`}`;'],
    ['fractions and exponents', 'const small = .5 / 1_000.5e-6;'],
    ['letters outside ASCII', "const gr\u00C3\u00B6\u00C3\u009Fe = '\u00E2\u0080\u00A8';"],
    ['decorators', '@sealed class A { @logged() accessor b = 1; }'],
    ['types in types', 'const a = new Map<string, Map<string, Array<() => void>>>();'],
  ].map(([name = '', statement = '']) => [
    name,
    `${statement}\nexport default {\n  async fetch(request, env) {\n    return a(request);\n  },\n${TYPED}`,
    `${IMPORT}\n${EXPORT}\n${statement}\nexport default {\n  async fetch(request, env) {\n${ROUTE}    return a(request);\n  },\n${TYPED}`,
  ]),
])('is placed in %s', (_, before, after) => {
  expect(withEntry(before, NAMES, false)).toEqual({ text: after });
});

test('uses the names, quotes, semicolons and line ends of the file', () => {
  const before = [
    'import a from "a"',
    'export { b } from "b"',
    'export default {',
    '\tasync fetch(req: Request, bindings: Env) {',
    '\t\treturn a(req)',
    '\t},',
    '}',
  ].join('\r\n');
  const after = [
    'import a from "a"',
    'import { routeDORequest } from "lumenize-rpc/server"',
    'export { b } from "b"',
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

test.each([
  ['of an import', `import a from "a"`, `'b'; 'c';`, ['"', '']],
  ['of most strings, without imports', '', `return "b"`, ['"', '']],
  ['of most lines, without imports', '', `return 'b';`, ["'", ';']],
  ['of the template, without strings', '', 'return b', ["'", '']],
])('takes the style %s', (_, imported, statement, [quote, semicolon]) => {
  const before = `${imported}\nexport default {\n  async fetch(request, env) {\n    ${statement}\n  },\n} satisfies ExportedHandler<Env>\n`;
  const { text } = withEntry(before, NAMES, false);
  const source = `${quote}lumenize-rpc/server${quote}`;
  expect(text).toContain(`import { routeDORequest } from ${source}${semicolon}\n`);
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
  ['a getter', `export default { get fetch() { return x; } } satisfies ExportedHandler<Env>;\n`],
  [
    'an optional parameter',
    `export default { async fetch(request: Request, env?: Env) ${BODY} };\n`,
  ],
  [
    'a type of another kind',
    `export default { async fetch(request, env) ${BODY} } satisfies Handler<Env>;\n`,
  ],
  [
    'no bindings, in an object that is taken for another',
    `export default { async fetch(request: Request) ${BODY} } as ExportedHandler;\n`,
  ],
  [
    'a type that is only claimed',
    `export default { async fetch(request, env) ${BODY} } as ExportedHandler<Env>;\n`,
  ],
  [
    'a slash of which it is not sure',
    `if (a) {} /x/.test(b);\nexport default { async fetch(request, env) ${BODY} ${TYPED}`,
  ],
  ['something spread', `export default wrap({ async fetch(request, env) ${BODY} });\n`],
  ['a doubt', `const a = b() }\nexport default { async fetch(request, env) ${BODY} ${TYPED}`],
  ['a comment', `// export default { async fetch(request, env) {\nexport default app;\n`],
])('is left to the user if there is %s', (_, before) => {
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
  ['a bracket that stays open', 'const a = (b;', 'this program cannot read all of it'],
  ['a bracket and a line that stay open', 'const a = (b;\n', 'this program cannot read all of it'],
  ['a bracket in a template literal', 'const a = `${b)}`;', 'this program cannot read all of it'],
  [
    'a bracket that a template literal leaves open',
    'const a = `${(b}`);',
    'this program cannot read',
  ],
  [
    'a template literal that does not end',
    'const a = `${b} c',
    'this program cannot read all of it',
  ],
  ['a string that does not end', "const a = 'b\n';", 'this program cannot read all of it'],
  ['a comment that does not end', 'const a = b; /* c', 'this program cannot read all of it'],
  [
    'a regular expression that does not end',
    'const a = /b\n;',
    'this program cannot read all of it',
  ],
  [
    'another class',
    'export class Other extends WorkerEntrypoint {}\nexport default {};',
    'its fetch has a form',
  ],
])('the reason why the user inserts the lines is %s', (_, before, start) => {
  expect(withEntry(before, NAMES, false).reason?.startsWith(start)).toBe(true);
});

const HONO = 'import { Hono } from "hono";\n';
const HEAD_OF_HONO = `${HONO}import { routeDORequest } from "lumenize-rpc/server";\n\nexport { Counter } from "./counter.ts";\n`;
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
    'with types in types',
    'const api = new Hono<Typed<Map<string, A>>>();',
    '\n\nexport default api;\n',
  ],
  [
    'with options',
    'export const api = new OpenAPIHono({ strict: false });',
    '\nexport default api;\n',
  ],
  [
    'of another variable',
    'function log(a) {\n  switch (a) {\n    default:\n  }\n}\nlog();\nlet api = new Hono<{ Variables: { now: () => Date } }>();',
    '\nexport default api\nexport { Room };\n',
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
  ['not the one that is exported', 'const api = new Hono();\nexport default app;\n'],
  ['exported with a type', 'const api = new Hono();\nexport default api satisfies Fetcher;\n'],
  [
    'made with types and without parentheses',
    'const api = new Hono<E>\napi.use(logger())\nexport default api\n',
  ],
  ['made with a type', 'const api = new Hono() as Api\nexport default api\n'],
  ['made to satisfy a type', 'const api = new Hono() satisfies Api\nexport default api\n'],
  ['made after all', 'const api = new Hono()\n  ?? other\nexport default api\n'],
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

test.each(['new Hono().get("/", home)', 'new Hono()'])(
  'an application without a variable gets one: %s',
  (made) => {
    const { byHand } = withEntry(`export default ${made};\n`, NAMES, false);
    expect(byHand).toContain('where app is your Hono application:');
  },
);

test.each([
  `export default { fetch: () => <p>Don't</p> };`,
  // The tags look like a regular expression.
  `import { a } from 'a';\nexport default { fetch: () => <p><b>a</b></p> };`,
])('if tags cannot be split into tokens, the class is exported at the end: %j', (before) => {
  const { text, byHand } = withEntry(before, NAMES, true);
  expect(text).toBe(`${before}\n\n${EXPORT.trimEnd()}`);
  expect(withEntry(`${before}\n`, NAMES, true).text).toBe(`${before}\n\n${EXPORT}`);
  expect(byHand).toContain('routeDORequest');
});

const ROUTED = {
  objects: [
    { module: 'room', class: 'Room', binding: 'ROOM' },
    { module: 'bank', class: 'Bank', binding: 'BANK' },
  ],
  extension: '.ts',
  hasPackage: true,
};
const EXPORTS = "export { Room } from './room.ts';\nexport { Bank } from './bank.ts';\n";

test('an existing route gets the bindings, and the exports are beside the others', () => {
  const route = (/** @type {string} */ names) =>
    `\nroutes(routeDORequest(a, b, { bindings: [${names}] }));\n`;
  expect(withEntry(`${IMPORT}\n${EXPORT}${route("'COUNTER'")}`, ROUTED, false)).toEqual({
    text: `${IMPORT}\n${EXPORT}${EXPORTS}${route("'COUNTER', 'ROOM', 'BANK'")}`,
  });
});

test.each([
  ['a form', `${IMPORT}export default routeDORequest(a, b, options);\n`, false],
  ['tags', `${IMPORT}export default routeDORequest(a, <p />, { bindings: [] });\n`, true],
])('a route with %s is left to the user, but for the exports', (_, before, isJsx) => {
  const { text, byHand, reason } = withEntry(before, ROUTED, isJsx);
  expect(text).toContain(EXPORTS);
  expect(byHand).toBe(
    "// In the list of bindings that clients can reach, in the options of routeDORequest:\n'ROOM', 'BANK',",
  );
  expect(reason).toBe('its call of routeDORequest has a form that this program does not change');
});

test('does not add a second route if another file may have the route, because calls would bypass its checks', () => {
  const before =
    'export default {\n  async fetch(request, env) {\n    return routes(request, env);\n  },\n};\n';
  const { text, byHand, reason } = withEntry(before, ROUTED, false);
  expect(text).toBe(`${EXPORTS}\n${before}`);
  expect(byHand).toContain(
    "const rpcResponse = await routeDORequest(request, env, { prefix: '/__rpc', bindings: ['ROOM', 'BANK'] });",
  );
  expect(reason).toBe(
    'the route may be in another file, which then needs only the names of the bindings',
  );
});
