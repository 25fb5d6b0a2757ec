/**
 * Tests where a scaffolded project reports mistakes during development: saved mistakes, failing tests, wrong types and
 * refused calls.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { stop } from '../../harness/guarded-process.mjs';
import { clientOf, projects, write } from '../setup/projects.mjs';
import { run } from '../setup/outside.mjs';

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

/** @type {string} */
let project;

beforeAll(async () => {
  project = await scaffold('worked-on');
});

describe('npm run dev', () => {
  /** @type {Awaited<ReturnType<typeof startDevServer>>} */
  let started;

  beforeAll(async () => {
    started = await startDevServer(project, [], env);
    return () => stop(started.server);
  });

  // This test is the first, because an edit would build the page again while it is read.
  test('serves the script of the page with a source map, which is not deployed', async () => {
    const { url } = started;
    const script = await textOf(`${url}/app.js`);
    const [, map = ''] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(script) ?? [];
    const { sources } = JSON.parse(Buffer.from(map, 'base64').toString());
    expect(sources).toContain('../src/page/app.ts');
    await npm(project, 'typecheck');
    expect(await textOf(`${url}/app.js`)).toBe(script);
    await run('wrangler', ['deploy', '--dry-run'], { cwd: project, env });
    expect(readdirSync(join(project, 'public')).toSorted()).toEqual([
      '_headers',
      'app.js',
      'index.html',
      'style.css',
    ]);
    const deployed = readFileSync(join(project, 'public/app.js'), 'utf8');
    expect(deployed).not.toContain('sourceMappingURL');
    expect(deployed.length).toBeLessThan(script.indexOf('//# sourceMappingURL') / 2);
  });

  test('names the option that a page of another origin needs, once', async () => {
    const { url, server } = started;
    let log = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (text) => (log += text));
    }
    /** @param {string} Origin */
    const post = (Origin) =>
      fetch(`${url}/__rpc/COUNTER/a/call`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin },
        body: '[[1,"getValue"]]',
      });
    for (let round = 0; round < 3; round++) {
      expect((await post('http://localhost:5173')).status).toBe(403);
    }
    expect((await post('http://localhost:5174')).status).toBe(403);
    const advice = (/** @type {number} */ port) => `cors: { origin: ['http://localhost:${port}'] }`;
    await expect.poll(() => log).toContain(advice(5174));
    expect(log.split(advice(5173))).toHaveLength(2);
  });

  test('tells a client of a missing binding which bindings exist', async () => {
    const headers = { 'lumenize-rpc-client': 'x', 'Content-Type': 'application/json' };
    const call = `${started.url}/__rpc/COUNTERS/a/call`;
    const response = await fetch(call, { method: 'POST', headers });
    expect(await response.text()).toMatch(
      /^No Durable Object binding is named COUNTERS: .*COUNTER/,
    );
  });

  test('survives a contract entry that is saved before its method', async () => {
    const { url, server } = started;
    const { createRpcClient } = await clientOf(project);
    const call = async (/** @type {string} */ method) => {
      using counter = createRpcClient('COUNTER', 'edited', { baseUrl: url, transport: 'http' });
      return await counter[method]().catch((/** @type {unknown} */ error) => String(error));
    };
    expect(await call('getValue')).toBe(0);
    const undo = edit('src/counter.ts', '  reset: [],', '  reset: [],\n  double: [],');
    const problem = 'TypeError: The contract lists double, which is not a method of the class';
    await expect.poll(() => call('getValue')).toBe(problem);
    expect(await call('double')).toBe(problem);
    edit('src/counter.ts', '  reset()', '  double(): number {\n    return 2;\n  }\n\n  reset()');
    await expect.poll(() => call('double')).toBe(2);
    expect(await call('getValue')).toBe(0);
    expect(server.exitCode).toBeNull();
    undo();
  });

  test('bundles a script before a page names it, and shows only the place of a mistake', async () => {
    const { url, server } = started;
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk) => (output += stripVTControlCharacters(`${chunk}`)));
    onTestFinished(() => {
      for (const file of ['src/page/counter.ts', 'src/page/price.ts', 'public/counter.js'])
        rmSync(join(project, file), { force: true });
    });
    write(
      // The file has the name of the object that it calls.
      join(project, 'src/page/counter.ts'),
      `import { price } from './price.ts';
import type { Counter } from '../counter.ts';
console.log(price satisfies Parameters<Counter['increment']>[0]);
`,
    );
    await expect.poll(() => output).toContain('src/page/counter.ts:1:22');
    write(join(project, 'src/page/price.ts'), 'export const price = 12;\n');
    await expect.poll(() => textOf(`${url}/counter.js`)).toContain('price = 12');
    expect(existsSync(join(project, 'public/price.js'))).toBe(false);
    expect(output).toContain('Could not resolve "./price.ts"');
    expect(output).not.toMatch(/ChildProcess|Build failed/);
  });
});

describe('npm run deploy', () => {
  test('does not deploy a script with a mistake', async () => {
    const undo = edit('src/page/app.ts', "from './frames.ts'", "from './frame.ts'");
    onTestFinished(undo);
    const deployed = run('wrangler', ['deploy', '--dry-run'], { cwd: project, env });
    const output = await deployed.then(
      () => 'It was deployed',
      (error) => String(error),
    );
    // Below this line, wrangler itself prints how its command has ended.
    expect(output.match(/^\[custom build\] .*Could not resolve "\.\/frame\.ts"/gm)).toHaveLength(1);
  });
});

describe('npm test', () => {
  test('prints no errors if all tests pass', async () => {
    // With a runtime for each file, this would take four times as long. `--verify` does that.
    const { all } = await run('vitest', ['run', '--no-isolate'], { cwd: project, env });
    expect(all).toMatch(/Tests .*passed/);
    expect(all).not.toMatch(/uncaught|unhandled|stderr|✘/i);
  });

  test('names the line of each failure, in the test and in the runtime', async () => {
    const path = 'test/failing.test.ts';
    write(
      join(project, path),
      `import { expect, test } from 'vitest';
import type { Counter } from '../src/counter.ts';
import { connect } from 'lumenize-rpc/testing';

interface Expected {
  value: number;
}

test('fails with using', async () => {
  using counter = connect<Counter>('COUNTER', 'failing');
  const expected: Expected = { value: 2 };
  expect(await counter.increment()).toBe(expected.value);
});

test('fails with const', async () => {
  const counter = connect<Counter>('COUNTER', 'failing too');
  const expected: Expected = { value: 2 };
  expect(await counter.increment()).toBe(expected.value);
});

test('fails in the runtime', async () => {
  using counter = connect<Counter>('COUNTERS', 'failing');
  expect(await counter.increment()).toBe(1);
});
`,
    );
    const failed = run('vitest', ['run', path], { cwd: project, env });
    const output = await failed.catch((error) => stripVTControlCharacters(String(error)));
    for (const place of ['12:37', '18:37', '23:10']) expect(output).toContain(`❯ ${path}:${place}`);
    expect(output).not.toContain('lumenize-rpc/dist');
    expect(output).toContain('No Durable Object binding is named COUNTERS');
    write(join(project, path), '');
  });
});

describe('npm run typecheck', () => {
  test.each([
    ['a syntax error in the page', 'src/page/app.ts', 'const = 1;', '(2,7)'],
    ['a syntax error in the object', 'src/counter.ts', 'export {', '(4,8)'],
    ['a conflict of a merge', 'src/counter.ts', '<<<<<<< yours', 'Merge conflict marker'],
    ['an error in a program beside src/', 'call.ts', 'const n: number = "1";', 'TS2322'],
  ])('reports %s at its place', async (_, path, line, problem) => {
    const file = join(project, path);
    const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
    onTestFinished(() => write(file, source));
    write(file, `// First.\n${line}\n${source}`);
    const output = await npm(project, 'typecheck').then(
      () => 'It passed',
      (error) => String(error),
    );
    expect(output).toContain(path);
    expect(output).toContain(problem);
    expect(output).not.toContain('out of date');
  });
});

/**
 * @param {string} path
 * @param {string} old
 * @param {string} text
 * @returns {() => void} restores the old text
 */
function edit(path, old, text) {
  const file = join(project, path);
  const source = readFileSync(file, 'utf8');
  expect(source).toContain(old);
  write(file, source.replace(old, text));
  return () => write(file, source);
}

/** @param {string} url */
async function textOf(url) {
  return (await fetch(url)).text();
}
