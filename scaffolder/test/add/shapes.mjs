/** Different kinds of Workers projects, and the changes of `--add` to them. */

/**
 * @typedef {object} Shape
 * @property {Record<string, string>} before - texts by path
 * @property {string} [folder] - folder of the Worker, if it is not the whole project
 * @property {string[]} created - the new files beside the package
 * @property {Record<string, string>} after - new texts of the changed files
 * @property {string} [byHand] - a line that the user has to insert
 * @property {string} [note]
 */

const MANIFEST = `{
  "name": "shop",
  "scripts": {
    "dev": "wrangler dev",
    "types": "wrangler types"
  },
  "devDependencies": {
    "wrangler": "^4"
  }
}
`;
const DEPENDENCIES = `  "dependencies": {
    "lumenize-rpc": "file:vendor/lumenize-rpc",
    "typebox": "1.4.3"
  },
  "devDependencies"`;
const WITH_PACKAGES = MANIFEST.replace('  "devDependencies"', () => DEPENDENCIES);

const OPTIONS = '{\n\t"compilerOptions": {\n\t\t"noEmit": true // by wrangler\n\t}\n}\n';

const PLAIN = `export default {
  async fetch(request, env): Promise<Response> {
    return new Response('Hello');
  },
} satisfies ExportedHandler<Env>;
`;
const HEAD = `import { routeDORequest } from 'lumenize-rpc/server';

export { Counter } from './counter';
`;
const ROUTE = `
    const rpcResponse = await routeDORequest(request, env, { prefix: '/__rpc', bindings: ['COUNTER'] });
    if (rpcResponse) return rpcResponse;`;
const PLAIN_WITH_ROUTE = `${HEAD}\n${PLAIN.replace('<Response> {', (start) => start + ROUTE)}`;

const HONO = `import { Hono } from "hono";

const app = new Hono<{ Bindings: Env }>();

app.get("/", (c) => c.text("Hello"));

export default app;
`;

const ROUTE_OF_HONO = `
// Before other routes and middleware:
app.all("/__rpc/*", async (c) => {
  return (await routeDORequest(c.req.raw, c.env, { prefix: "/__rpc", bindings: ["COUNTER"] })) ?? c.notFound();
});
`;

const ENTRY_POINT = `import { WorkerEntrypoint } from 'cloudflare:workers';

export default class extends WorkerEntrypoint {
  override async fetch() {
    return new Response('Hello');
  }
}
`;

/** @param {string} text */
const windows = (text) => text.replaceAll('\n', '\r\n');

/** @type {Record<string, Shape>} */
export const SHAPES = {
  'wrangler.toml with comments': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.toml': `# The shop.
name = "shop" # its name
main = "./src/index.ts"
compatibility_date = "2026-10-01"

[vars]
# What it is called.
TITLE = 'Shop'
`,
      'src/index.ts': PLAIN,
    },
    created: ['src/counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.toml': `# The shop.
name = "shop" # its name
main = "./src/index.ts"
compatibility_date = "2026-10-01"

[vars]
# What it is called.
TITLE = 'Shop'

[[durable_objects.bindings]]
name = "COUNTER"
class_name = "Counter"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["Counter"]
`,
      'src/index.ts': PLAIN_WITH_ROUTE,
    },
  },

  'wrangler.jsonc with comments and trailing commas': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.jsonc': `{
	// The shop.
	"name": "shop", /* its name */
	"main": "src/index.ts",
	"compatibility_date": "2026-10-01",
	"vars": { "TITLE": "Shop", },
	// "migrations": [],
}
`,
      'src/index.ts': PLAIN,
      'notes/größe.txt': 'keep me',
    },
    created: ['src/counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.jsonc': `{
	// The shop.
	"name": "shop", /* its name */
	"main": "src/index.ts",
	"compatibility_date": "2026-10-01",
	"vars": { "TITLE": "Shop", },
	"durable_objects": {
		"bindings": [
			{ "name": "COUNTER", "class_name": "Counter" }
		]
	},
	"migrations": [
		{ "tag": "v1", "new_sqlite_classes": ["Counter"] }
	],
	// "migrations": [],
}
`,
      'src/index.ts': PLAIN_WITH_ROUTE,
    },
  },

  'a Durable Object with migrations, of the same name': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.json': `{
  "name": "shop",
  "main": "src/index.ts",
  "compatibility_date": "2024-10-01",
  "durable_objects": {
    "bindings": [
      {
        "name": "COUNTER",
        "class_name": "Counter"
      }
    ]
  },
  "migrations": [
    { "tag": "v1", "new_classes": ["Old"] },
    { "tag": "v2", "renamed_classes": [{ "from": "Old", "to": "Counter" }] },
    { "tag": "v3", "new_sqlite_classes": ["Unused"] }
  ],
  "env": { "staging": {} }
}
`,
      'src/index.ts': `import { DurableObject } from 'cloudflare:workers';\n\nexport class Counter extends DurableObject {}\n\n${PLAIN}`,
    },
    created: ['src/rpc-counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.json': `{
  "name": "shop",
  "main": "src/index.ts",
  "compatibility_date": "2024-10-01",
  "durable_objects": {
    "bindings": [
      {
        "name": "COUNTER",
        "class_name": "Counter"
      },
      {
        "name": "RPC_COUNTER",
        "class_name": "RpcCounter"
      }
    ]
  },
  "migrations": [
    { "tag": "v1", "new_classes": ["Old"] },
    { "tag": "v2", "renamed_classes": [{ "from": "Old", "to": "Counter" }] },
    { "tag": "v3", "new_sqlite_classes": ["Unused"] },
    { "tag": "v4", "new_sqlite_classes": ["RpcCounter"] }
  ],
  "env": { "staging": {} }
}
`,
      'src/index.ts': `import { DurableObject } from 'cloudflare:workers';
import { routeDORequest } from 'lumenize-rpc/server';

export { RpcCounter } from './rpc-counter';

export class Counter extends DurableObject {}

${PLAIN.replace('<Response> {', (start) => start + ROUTE.replace('COUNTER', 'RPC_COUNTER'))}`,
    },
    note: 'Add RPC_COUNTER (class RpcCounter) to the environments that need it: staging.',
  },

  'wrangler.toml with exports, at the top and in an environment': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.toml': `main = "src/index.ts"

[[durable_objects.bindings]]
name = "SHELF"
class_name = "Shelf"

[exports.Shelf] # since 2026
type = "durable-object"
storage = "sqlite"

[exports.Rack]
type = "durable-object"
state = "renamed"
renamed_to = "Shelf"

[env.staging.exports.Shelf]
type = "durable-object"
storage = "sqlite"
`,
      'src/index.ts': PLAIN,
    },
    created: ['src/counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.toml': `main = "src/index.ts"

[[durable_objects.bindings]]
name = "SHELF"
class_name = "Shelf"

[[durable_objects.bindings]]
name = "COUNTER"
class_name = "Counter"

[exports.Shelf] # since 2026
type = "durable-object"
storage = "sqlite"

[exports.Rack]
type = "durable-object"
state = "renamed"
renamed_to = "Shelf"

[exports.Counter]
type = "durable-object"
storage = "sqlite"

[env.staging.exports.Shelf]
type = "durable-object"
storage = "sqlite"
`,
      'src/index.ts': PLAIN_WITH_ROUTE,
    },
    note: `Note: The environment staging has its own "exports", so it does not inherit the new classes. If it needs the binding, add:
  [env.staging.exports.Counter]
  type = "durable-object"
  storage = "sqlite"`,
  },

  'wrangler.jsonc with exports, one of which has the same name': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.jsonc': `{
  "main": "src/index.ts",
  "durable_objects": { "bindings": [{ "name": "SHELF", "class_name": "Shelf" }] },
  "exports": {
    // Gone since May.
    "Counter": { "type": "durable-object", "state": "deleted" },
    "Shelf": { "type": "durable-object", "storage": "sqlite" }, // the last
  },
}
`,
      'src/index.ts': PLAIN,
    },
    created: ['src/rpc-counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.jsonc': `{
  "main": "src/index.ts",
  "durable_objects": { "bindings": [{ "name": "SHELF", "class_name": "Shelf" }, { "name": "RPC_COUNTER", "class_name": "RpcCounter" }] },
  "exports": {
    // Gone since May.
    "Counter": { "type": "durable-object", "state": "deleted" },
    "RpcCounter": { "type": "durable-object", "storage": "sqlite" },
    "Shelf": { "type": "durable-object", "storage": "sqlite" }, // the last
  },
}
`,
      'src/index.ts': PLAIN_WITH_ROUTE.replace(
        "Counter } from './counter",
        "RpcCounter } from './rpc-counter",
      ).replace('COUNTER', 'RPC_COUNTER'),
    },
  },

  Hono: {
    before: {
      'package.json': '{\n\t"dependencies": {\n\t\t"hono": "^4",\n\t\t"zod": "^4"\n\t}\n}\n',
      'tsconfig.json': OPTIONS,
      'wrangler.jsonc': '{ "main": "src/index.ts" }\n',
      'src/index.ts': HONO,
    },
    created: ['src/counter.ts'],
    after: {
      'package.json':
        '{\n\t"dependencies": {\n\t\t"hono": "^4",\n\t\t"lumenize-rpc": "file:vendor/lumenize-rpc",\n\t\t"zod": "^4"\n\t},\n' +
        '\t"scripts": {\n\t\t"types": "wrangler types"\n\t}\n}\n',
      'wrangler.jsonc':
        '{ "main": "src/index.ts", "durable_objects": { "bindings": [{ "name": "COUNTER", "class_name": "Counter" }] }, ' +
        '"exports": { "Counter": { "type": "durable-object", "storage": "sqlite" } } }\n',
      'src/index.ts': HONO.replace(
        '"hono";\n',
        '"hono";\nimport { routeDORequest } from "lumenize-rpc/server";\n\nexport { Counter } from "./counter";\n',
      ).replace('>();\n', (made) => `${made}${ROUTE_OF_HONO}`),
    },
  },

  'a class as the entry point': {
    before: {
      'package.json': MANIFEST,
      'tsconfig.json': OPTIONS,
      'wrangler.toml': 'main = "src/index.ts"\n',
      'src/index.ts': ENTRY_POINT,
    },
    created: ['src/counter.ts'],
    after: {
      'package.json': WITH_PACKAGES,
      'wrangler.toml':
        'main = "src/index.ts"\n\n[[durable_objects.bindings]]\nname = "COUNTER"\nclass_name = "Counter"\n\n' +
        '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["Counter"]\n',
      'src/index.ts': ENTRY_POINT.replace(
        "workers';\n",
        "workers';\n\nexport { Counter } from './counter';\n",
      ),
    },
    byHand: '  const rpcResponse = await routeDORequest(request, this.env, {',
  },

  'a main file elsewhere, with tests in the Workers runtime': {
    before: {
      'package.json': MANIFEST.replace(
        '"wrangler"',
        '"@cloudflare/vitest-plugin": "^1",\n    "wrangler"',
      ),
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.worker.json" }] }\n',
      'tsconfig.worker.json': '{ "extends": "./tsconfig.base.json", "include": ["worker"] }\n',
      'tsconfig.base.json':
        '{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true }, "files": [] }\n',
      'wrangler.toml':
        'main = "worker/index.ts"\n[[migrations]]\ntag = "2026-01"\nnew_classes = ["A"]\n',
      'worker/index.ts': PLAIN,
      'src/index.ts': 'document.title = "Shop";\n',
      'test/index.spec.ts': '',
    },
    created: ['test/counter.spec.ts', 'worker/counter.ts'],
    after: {
      'tsconfig.worker.json':
        '{ "extends": "./tsconfig.base.json", "include": ["worker", "worker-configuration.d.ts"] }\n',
      'package.json': WITH_PACKAGES.replace(
        '"wrangler": "^',
        '"@cloudflare/vitest-plugin": "^1",\n    "wrangler": "^',
      ),
      'wrangler.toml':
        'main = "worker/index.ts"\n[[migrations]]\ntag = "2026-01"\nnew_classes = ["A"]\n\n' +
        '[[migrations]]\ntag = "2026-02"\nnew_sqlite_classes = ["Counter"]\n\n' +
        '[[durable_objects.bindings]]\nname = "COUNTER"\nclass_name = "Counter"\n',
      'worker/index.ts': PLAIN_WITH_ROUTE.replace('./counter', './counter.ts'),
    },
  },

  'Vite with the Cloudflare plugin and React': {
    before: {
      'package.json': MANIFEST.replace('"wrangler dev"', '"vite"').replace(
        '"wrangler"',
        '"@cloudflare/vite-plugin": "^1",\n    "react": "^19",\n    "wrangler"',
      ),
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.node.json" }, { "path": "./tsconfig.worker.json" }] }\n',
      'tsconfig.node.json': '{ "include": ["vite.config.ts"] }\n',
      'tsconfig.worker.json':
        '{ "extends": "./tsconfig.node.json", "include": ["worker-configuration.d.ts", "worker"] }\n',
      'wrangler.jsonc': '{\n  "main": "worker/index.ts",\n}\n',
      'worker/index.ts': PLAIN,
      'src/main.tsx': '',
    },
    created: ['worker/counter.ts'],
    after: {
      'package.json': WITH_PACKAGES.replace('"wrangler dev"', '"vite"').replace(
        '"wrangler": "^',
        '"@cloudflare/vite-plugin": "^1",\n    "react": "^19",\n    "wrangler": "^',
      ),
      'wrangler.jsonc': `{
  "main": "worker/index.ts",
  "durable_objects": {
    "bindings": [
      { "name": "COUNTER", "class_name": "Counter" }
    ]
  },
  "migrations": [
    { "tag": "v1", "new_sqlite_classes": ["Counter"] }
  ],
}
`,
      'worker/index.ts': PLAIN_WITH_ROUTE,
    },
    note: 'write src/count.tsx, and <Count /> in a component of yours:',
  },

  'a package of a monorepo, installed by pnpm': {
    before: {
      'package.json': '{ "private": true }\n',
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\n',
      'tsconfig.base.json': OPTIONS,
      'apps/shop/package.json': MANIFEST,
      'apps/shop/tsconfig.json': '{\n  "extends": "../../tsconfig.base.json"\n}\n',
      'apps/shop/wrangler.jsonc': '{\n  "main": "./src/index.ts"\n}\n',
      'apps/shop/src/index.ts': PLAIN,
      'apps/other/package.json': '{}\n',
    },
    folder: 'apps/shop',
    created: ['apps/shop/src/counter.ts'],
    after: {
      'apps/shop/package.json': WITH_PACKAGES,
      'apps/shop/wrangler.jsonc':
        '{\n  "main": "./src/index.ts",\n  "durable_objects": {\n    "bindings": [\n' +
        '      { "name": "COUNTER", "class_name": "Counter" }\n    ]\n  },\n' +
        '  "migrations": [\n    { "tag": "v1", "new_sqlite_classes": ["Counter"] }\n  ]\n}\n',
      'apps/shop/src/index.ts': PLAIN_WITH_ROUTE,
    },
    note: '  pnpm install\n  pnpm run types\n',
  },

  'lines that end as on Windows, and no line end at the end': {
    before: {
      'package.json': windows(MANIFEST).trimEnd(),
      'tsconfig.json': windows(OPTIONS).trimEnd(),
      'wrangler.toml': windows('name = "größe"\nmain = "src/index.ts" # here').trimEnd(),
      'src/index.ts': windows(`${PLAIN}// größe`),
    },
    created: ['src/counter.ts'],
    after: {
      'package.json': windows(WITH_PACKAGES).trimEnd(),
      'wrangler.toml': windows(
        'name = "größe"\nmain = "src/index.ts" # here\n\n' +
          '[[durable_objects.bindings]]\nname = "COUNTER"\nclass_name = "Counter"\n\n' +
          '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["Counter"]',
      ),
      'src/index.ts': windows(`${PLAIN_WITH_ROUTE}// größe`),
    },
  },
};
