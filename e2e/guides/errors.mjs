/** Errors that a reader of the guides can get, each with a way to cause it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/outside.mjs';
import { clientOf } from '../setup/projects.mjs';

/**
 * @typedef {object} Reader
 * @property {string} project - a scaffolded project
 * @property {string} url - the address of the running project
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * A way to cause an error: a change of the project, and an action that then shows the error.
 *
 * @template [Of=Reader]
 * @typedef {object} Way
 * @property {(reader: Of) => Promise<string>} provoke
 * @property {string} [file]
 * @property {[string | RegExp, string]} [change]
 */

/** @typedef {Omit<Reader, 'url'>} Checker - runs commands in a project that does not run */

/** @type {Way<Checker>} */
const typechecking = {
  async provoke({ project, env }) {
    const { all } = await run('npm', ['run', 'typecheck'], { cwd: project, env });
    return all;
  },
};

/** Errors of a running project. Errors that need no change of it come first. @type {Record<string, Way>} */
export const ERRORS_OF_DEV = {
  'increment: argument [0] must be integer, got a string of 1 character': calling((counter) =>
    counter.increment('x'),
  ),
  'The contract lists no method peek': calling((counter) => counter.peek()),
  'The server answered 404: Not found': calling((counter) => counter.getValue(), {
    prefix: '/rpc',
  }),
  'No Durable Object binding is named SHOP': calling((shop) => shop.getValue(), {
    binding: 'SHOP',
  }),
  'The server answered 403: Origin http://localhost:5173 is not allowed: see the option cors':
    calling((counter) => counter.getValue(), {
      transport: 'http',
      headers: { Origin: 'http://localhost:5173' },
    }),
  'increment: Cannot send a function at [0]: pass callback(fn)': calling((counter) =>
    counter.increment(() => 1),
  ),
  'Functions as arguments are not supported by this object: add callback() to the contract':
    calling((counter, { callback }) => counter.increment(callback(() => 1))),
  'Client closed': calling((counter) => {
    const value = counter.getValue();
    counter.close();
    return value;
  }),
  '[object Promise]': calling(async (counter) => {
    const value = counter.getValue();
    return await value.then(() => `${value}`);
  }),
  'TypeError: fetch failed (CORS or Content Security Policy? http://127.0.0.1:9': calling(
    (counter) => counter.increment(),
    {
      baseUrl: 'http://127.0.0.1:9',
      timeout: 200,
    },
  ),
  'Address already in use': {
    async provoke({ project, url, env }) {
      const { port } = new URL(url);
      const second = run('npm', ['run', 'dev', '--', '--port', port], { cwd: project, env });
      return String(await second.catch(String));
    },
  },
  'The contract lists peek, which is not a method of the class': edited(
    'src/counter.ts',
    ['reset: [],', 'reset: [], peek: [],'],
    calling((counter) => counter.increment()),
  ),
  'argument [0] has an unknown keyword min: did you mean minimum?': edited(
    'src/counter.ts',
    ['minimum: 1,', 'min: 1,'],
    calling((counter) => counter.increment()),
  ),
  'Cannot read a Capability: pass { capabilities }': edited(
    'src/counter.ts',
    [
      /^(export class CounterImpl[\s\S]*?\n)( {2}reset\([\s\S]*?CounterImpl, \{)/m,
      `import { RpcTarget } from 'cloudflare:workers';
import { capability } from 'lumenize-rpc/server';

class ReaderImpl extends RpcTarget {
  constructor(_counter: object) {
    super();
  }
}
const Reader = capability(ReaderImpl, [], {});

$1  reader() {
    return new Reader(this);
  }

$2
  reader: { input: [], returns: Reader },`,
    ],
    calling((counter) => counter.reader()),
  ),
  "this object's namespace is not declared to use SQLite": edited(
    'wrangler.jsonc',
    ['"storage": "sqlite"', '"storage": "legacy-kv"'],
    calling((counter) => counter.increment()),
  ),
};

/** Errors of the project's type check. @type {Record<string, Way<Checker>>} */
export const ERRORS_OF_CHECKS = {
  'Mismatch<{ schemas: 0; parametersOfTheMethod: 1; }>': edited(
    'src/counter.ts',
    [/increment: \[.*/, 'increment: [],'],
    typechecking,
  ),
  'Mismatch<"the parameter is optional: wrap its schema in Type.Optional">': edited(
    'src/counter.ts',
    [/increment: \[.*/, 'increment: [Type.Integer()],'],
    typechecking,
  ),
  'the method is not live: list it by live([…]) to subscribe to it': edited(
    'src/counter.ts',
    [
      /$/,
      `
import { type RpcClient, subscribe } from 'lumenize-rpc/client';
export const wrong = (counter: RpcClient<Counter>) => subscribe(counter).reset();
`,
    ],
    typechecking,
  ),
  'the contract does not list the method: add it to the contract': edited(
    'src/counter.ts',
    [
      /$/,
      `
import { type RpcClient } from 'lumenize-rpc/client';
class HiddenImpl extends CounterImpl {
  peek(): number {
    return 1;
  }
}
const Hidden = lumenizeRpcDO(HiddenImpl, { reset: [] });
export const wrong = (client: RpcClient<RpcObject<typeof Hidden>>) => client.peek();
`,
    ],
    typechecking,
  ),
  'the method returns a feed: write subscribe(client)': edited(
    'src/counter.ts',
    [
      /$/,
      `
import { type RpcClient } from 'lumenize-rpc/client';
import { events, feed, type Feed } from 'lumenize-rpc/server';
class NewsImpl extends CounterImpl {
  news(): Feed<string> {
    return feed<string>(this, 'news');
  }
}
const News = lumenizeRpcDO(NewsImpl, { news: events() });
export const wrong = (client: RpcClient<RpcObject<typeof News>>) => client.news();
`,
    ],
    typechecking,
  ),
  'Types at worker-configuration.d.ts are out of date': edited(
    'wrangler.jsonc',
    ['"name": "COUNTER"', '"name": "OTHER"'],
    typechecking,
  ),
  "Property 'NOTES' does not exist on type 'Env'": edited(
    'src/counter.ts',
    ['this.getValue() + by;', 'this.getValue() + by + Number(this.env.NOTES);'],
    typechecking,
  ),
  "Index signature for type 'string' is missing in type 'Note'": edited(
    'src/counter.ts',
    [
      '  reset(',
      `  notes() {
    interface Note { id: string }
    return this.ctx.storage.sql.exec<Note>('SELECT * FROM notes').toArray();
  }

  reset(`,
    ],
    typechecking,
  ),
};

/**
 * Applies the change of a way.
 *
 * @param {string} project
 * @param {Pick<Way, 'file' | 'change'>} way
 * @returns {() => void} restores the file
 */
export function edit(project, { file, change }) {
  if (!file || !change) return () => {};
  const path = join(project, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, source.replace(...change));
  return () => writeFileSync(path, source);
}

/**
 * @param {(counter: any, client: any) => Promise<unknown>} call - also receives the module of the client
 * @param {{ binding?: string, [option: string]: unknown }} [options] - options of the client
 * @returns {Way} a way that gives the error of the call
 */
function calling(call, { binding = 'COUNTER', ...options } = {}) {
  return {
    async provoke({ project, url }) {
      const client = await clientOf(project);
      using counter = client.createRpcClient(binding, 'errors', { baseUrl: url, ...options });
      try {
        return `It answered ${await call(counter, client)}`;
      } catch (error) {
        return String(error);
      }
    },
  };
}

/**
 * @template Of
 * @param {string} file
 * @param {[string | RegExp, string]} change
 * @param {Way<Of>} way
 * @returns {Way<Of>} the same way, after a change
 */
function edited(file, change, way) {
  return { ...way, file, change };
}
