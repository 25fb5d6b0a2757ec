/** The errors that the template's guide quotes, each with a way to cause it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stop } from '../../harness/guarded-process.mjs';
import { run } from '../outside.mjs';
import { clientOf } from './project.mjs';

/**
 * @typedef {object} Reader
 * @property {string} project - a project as it was scaffolded
 * @property {string} [url] - address of the running project; without it, the project is started
 * @property {string} edited - another project, in which files may be changed
 * @property {NodeJS.ProcessEnv} env
 */

/** @type {Record<string, (reader: Reader) => Promise<string>>} */
export const ERRORS = {
  'increment: argument [0] must be integer, got a string of 1 character': calling((counter) =>
    counter.increment('x'),
  ),
  'The contract lists no method peek': calling((counter) => counter.peek()),
  'The server answered 404: Not found': calling((counter) => counter.getValue(), {
    prefix: '/rpc',
  }),
  'The server answered 403: Origin http://localhost:5173 is not allowed: see the option cors':
    calling((counter) => counter.getValue(), {
      transport: 'http',
      headers: { Origin: 'http://localhost:5173' },
    }),
  'Cannot send a function at [0]': calling((counter) => counter.increment(() => 1)),
  'increment timed out after 200 ms: no answer from http://127.0.0.1:9': calling(
    (counter) => counter.increment(),
    {
      baseUrl: 'http://127.0.0.1:9',
      timeout: 200,
    },
  ),
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
  'Address already in use': async ({ project, url = '', env }) => {
    const { port } = new URL(url);
    return String(
      await run('npm', ['run', 'dev', '--', '--port', port], { cwd: project, env }).catch(String),
    );
  },
  'Mismatch<{ schemas: 0; parametersOfTheMethod: 1; }>': edited(
    'src/counter.ts',
    [/increment: \[.*/, 'increment: [],'],
    typecheck,
  ),
  'Mismatch<"the parameter is optional: wrap its schema in Type.Optional">': edited(
    'src/counter.ts',
    [/increment: \[.*/, 'increment: [Type.Integer()],'],
    typecheck,
  ),
  "Property 'reset' does not exist on type 'Subscriptions<": edited(
    'src/browser/count.ts',
    [/$/, '\nexport const wrong = (counter: RpcClient<Counter>) => subscribe(counter).reset();\n'],
    typecheck,
  ),
  'Types at worker-configuration.d.ts are out of date': edited(
    'wrangler.jsonc',
    ['"name": "COUNTER"', '"name": "OTHER"'],
    typecheck,
  ),
  "Property 'NOTES' does not exist on type 'Env'": edited(
    'src/counter.ts',
    ['this.getValue() + by;', 'this.getValue() + by + Number(this.env.NOTES);'],
    typecheck,
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
    typecheck,
  ),
  "this object's namespace is not declared to use SQLite": edited(
    'wrangler.jsonc',
    [/\{ "tag": "v1".*\n/, ''],
    calling((counter) => counter.increment()),
  ),
};

/**
 * @param {(counter: any) => Promise<unknown>} call
 * @param {object} [options] - of the client
 * @returns {(reader: Reader) => Promise<string>} the error of the call
 */
function calling(call, options = {}) {
  return async ({ project, url, env }) => {
    const started = url === undefined ? await startDevServer(project, [], env) : undefined;
    const { createRpcClient } = await clientOf(project);
    const baseUrl = url ?? started?.url;
    using counter = createRpcClient('COUNTER', 'errors', { baseUrl, ...options });
    try {
      return `It answered ${await call(counter)}`;
    } catch (error) {
      return String(error);
    } finally {
      if (started) await stop(started.server);
    }
  };
}

/**
 * @param {string} file
 * @param {[string | RegExp, string]} change
 * @param {(reader: Reader) => Promise<string>} provoke
 * @returns {(reader: Reader) => Promise<string>} the result of `provoke` after a change, or its error
 */
function edited(file, change, provoke) {
  return async ({ edited: project, env }) => {
    const path = join(project, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, source.replace(...change));
    try {
      return await provoke({ project, edited: project, env });
    } catch (error) {
      return String(error);
    } finally {
      writeFileSync(path, source);
    }
  };
}

/** @param {Reader} reader */
async function typecheck({ project, env }) {
  return (await run('npm', ['run', 'typecheck'], { cwd: project, env })).all;
}
