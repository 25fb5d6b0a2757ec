/**
 * Tests objects that cannot be created, in each development server that a project can have. A client learns the reason
 * at once, the terminal shows it once with the remedy, and open pages go on when the mistake is corrected.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDevServer, startVite } from '../../harness/dev-server.mjs';
import { stop } from '../../harness/guarded-process.mjs';
import { run } from '../setup/outside.mjs';
import { clientOf, projects } from '../setup/projects.mjs';

const { env, scaffoldBare } = projects({ stopAfter: 'all' });

const CLASS = /(export class CounterImpl.*\n)/;
const CONSTRUCTOR =
  '$1  constructor(ctx: DurableObjectState, env: Env) {\n    super(ctx, env);\n    ';

/**
 * @typedef {object} Mistake
 * @property {string} name
 * @property {string} file
 * @property {[RegExp, string][]} changes
 * @property {string} reason - the first line, which a client receives
 * @property {string} advice - the remedy in the terminal
 */

/** @type {Mistake[]} */
const MISTAKES = [
  {
    name: 'a constructor that throws',
    file: 'src/counter.ts',
    changes: [[CLASS, `${CONSTRUCTOR}throw new Error('No setting PRICE\\nMore lines');\n  }\n`]],
    reason: 'The object of COUNTER failed: Error: No setting PRICE',
    advice: 'correct the code that throws the error',
  },
  {
    name: 'a field that throws',
    file: 'src/counter.ts',
    changes: [[CLASS, '$1  readonly price = JSON.parse("{");\n']],
    reason: 'The object of COUNTER failed: SyntaxError: ',
    advice: 'correct the code that throws the error',
  },
  {
    name: 'blockConcurrencyWhile that rejects',
    file: 'src/counter.ts',
    changes: [
      [
        CLASS,
        `${CONSTRUCTOR}void ctx.blockConcurrencyWhile(async () => {
      await Promise.reject(new Error('No prices'));
    });
  }
`,
      ],
    ],
    reason: 'The object of COUNTER failed: Error: No prices',
    advice: 'correct the code that throws the error',
  },
  {
    name: 'a migration that fails',
    file: 'src/counter.ts',
    changes: [
      [CLASS, `${CONSTRUCTOR}migrate(ctx.storage, ['ALTER TABLE prices ADD COLUMN due']);\n  }\n`],
      [/import \{ live/, 'import { migrate, live'],
    ],
    reason: 'The object of COUNTER failed: Error: no such table: prices: SQLITE_ERROR',
    advice: 'correct the SQL statement',
  },
  {
    name: 'a class without its contract',
    file: 'src/index.ts',
    changes: [[/export \{ Counter \}/, 'export { CounterImpl as Counter }']],
    reason: 'The object of COUNTER failed: ',
    advice: 'export the class that lumenizeRpcDO returns',
  },
];

describe.each(
  /** @type {const} */ ([
    ['wrangler dev', []],
    ['Vite', ['--ui', 'react']],
  ]),
)('%s', (kind, options) => {
  /** @type {string} */
  let project;
  /** @type {any} */
  let client;
  /** @type {import('node:child_process').ChildProcess} */
  let server;
  let baseUrl = '';
  let log = '';

  beforeAll(async () => {
    project = await scaffoldBare(kind === 'Vite' ? 'in-vite' : 'in-wrangler', [...options]);
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', install, { cwd: project, env });
    client = await clientOf(project);
    server = await startServer();
  });

  async function startServer() {
    const started =
      kind === 'Vite'
        ? await startVite(project, ['run', 'dev'], env)
        : await startDevServer(project, [], env);
    baseUrl = started.url;
    for (const stream of [started.server.stdout, started.server.stderr]) {
      stream?.on('data', (chunk) => (log += stripVTControlCharacters(`${chunk}`)));
    }
    return started.server;
  }

  /** Returns how often the terminal has shown a text. @param {string} text */
  const shown = (text) => log.split(text).length - 1;

  test.each(MISTAKES)('$name', async ({ file, changes, reason, advice }) => {
    const path = join(project, file);
    const right = readFileSync(path, 'utf8');
    const wrong = changes.reduce((text, change) => text.replace(...change), right);
    expect(wrong).not.toBe(right);
    const instance = reason;
    writeFileSync(path, wrong);
    /** @param {object} [given] */
    const failureOf = async (given) => {
      using counter = client.createRpcClient('COUNTER', instance, { baseUrl, ...given });
      return await counter.getValue().then(
        () => ({}),
        (/** @type {unknown} */ error) => error,
      );
    };
    // The server takes a moment to read the file.
    await expect.poll(async () => String(await failureOf())).toContain(reason);
    await expect.poll(() => shown(`What to do: ${advice}`)).toBeGreaterThan(0);
    const before = shown(`What to do: ${advice}`);
    for (const transport of ['websocket', 'http']) {
      /** @type {number[]} */
      const attempts = [];
      const failure = await failureOf({
        transport,
        onStateChange: (/** @type {string} */ _, /** @type {{ attempt?: number }} */ { attempt }) =>
          attempts.push(attempt ?? 0),
      });
      expect(failure).toMatchObject({ name: 'RpcError', code: 'UNAVAILABLE' });
      expect(String(failure)).toContain(reason);
      expect(String(failure)).not.toContain('More lines');
      // The client makes two attempts. The second shows that no method has broken the object.
      expect(Math.max(...attempts)).toBe(2);
    }

    using open = client.createRpcClient('COUNTER', instance, { baseUrl });
    /** @type {number[]} */
    const values = [];
    const following = (async () => {
      for await (const value of client.subscribe(open).getValue()) {
        values.push(value);
        if (value > 0) break;
      }
    })();
    await expect.poll(async () => String(await failureOf())).toContain(reason);
    expect(values).toEqual([]);
    // Text that was printed again would be in the chunk with the answer of the server, or before it.
    expect(shown(`What to do: ${advice}`)).toBe(before);

    writeFileSync(path, right);
    await expect.poll(() => values).toEqual([0]);
    expect(await open.increment()).toBe(1);
    await following;
    log = '';
  });

  test('a class without SQLite', async () => {
    const path = join(project, 'wrangler.jsonc');
    const right = readFileSync(path, 'utf8');
    const wrong = right.replace('"storage": "sqlite"', '"storage": "legacy-kv"');
    expect(wrong).not.toBe(right);
    await stop(server);
    // An object that has stored data in SQLite cannot go on without SQLite.
    rmSync(join(project, '.wrangler'), { recursive: true });
    writeFileSync(path, wrong);
    server = await startServer();
    for (const transport of ['websocket', 'http']) {
      const failure = async () => {
        using counter = client.createRpcClient('COUNTER', 'no sqlite', { baseUrl, transport });
        return await counter.increment().catch((/** @type {any} */ { code, message }) => {
          return `${code} ${message}`;
        });
      };
      expect(await failure()).toMatch(/^UNAVAILABLE .*not declared to use SQLite/);
    }
    await expect.poll(() => shown('What to do: declare the class to use SQLite')).toBe(1);
  });
});
