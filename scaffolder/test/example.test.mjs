/** Tests `--example` for a new project, and `--add` in that project later: both give the same files. */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../examples.mjs';
import { contents, temporaryFolder } from './support/folders.mjs';
import { runScaffolder } from './support/run-scaffolder.mjs';

const OFFLINE = ['--no-install', '--no-git'];
const PRELOAD = new URL('support/injected-failure.mjs', import.meta.url).href;

/**
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
async function run(args, { cwd = temporaryFolder(), env } = {}) {
  const outcome = await runScaffolder(args, { cwd, ...(env && { env }) });
  expect(outcome).toMatchObject({ code: 0, err: '' });
  return { cwd, out: outcome.out };
}

test.each(Object.keys(EXAMPLES).filter((name) => name !== 'counter'))(
  'a project that is created with %s equals a project to which it is added',
  async (name) => {
    const { cwd } = await run(['one', '--name', 'shop', '--example', name, ...OFFLINE]);
    const ui = EXAMPLES[name]?.ui ?? 'plain';
    await run(['two', '--name', 'shop', '--ui', ui, ...OFFLINE], { cwd });
    const before = contents(join(cwd, 'two'));
    await run(['--add', name, 'two', '--yes'], { cwd });
    const [one, two] = ['one', 'two'].map((folder) => contents(join(cwd, folder)));
    expect(one).toEqual(two);
    const changed = Object.keys(before).filter((path) => before[path] !== two?.[path]);
    const scripts = EXAMPLES[name]?.scripts ? ['package.json'] : [];
    const configuration = EXAMPLES[name]?.objects.length ? ['wrangler.jsonc'] : [];
    const page = EXAMPLES[name]?.ui ? ['src/ui/main.tsx'] : [];
    expect(changed).toEqual([...scripts, 'src/index.ts', ...page, ...configuration]);
    for (const { module, class: className, binding, internal } of EXAMPLES[name]?.objects ?? []) {
      expect(one).toHaveProperty([`src/${module}.ts`]);
      expect(one?.['src/index.ts']).toContain(`export { ${className} } from './${module}.ts';`);
      const isReached = new RegExp(`bindings: \\[.*'${binding}'`).test(one?.['src/index.ts'] ?? '');
      expect(isReached).toBe(!internal);
      expect(one?.['wrangler.jsonc']).toContain(
        `{ "name": "${binding}", "class_name": "${className}" }`,
      );
    }
  },
);

test('the output names the additions, and the remaining steps', async () => {
  const { cwd, out } = await run(['app', '--example', 'room,bank', '--pm', 'pnpm', ...OFFLINE]);
  expect(out).toContain(
    'Created app with room and bank.\nThe page of room is http://localhost:8787/room.',
  );
  expect(out).toContain('\nWith the Worker running, try bank: pnpm run bank\n');
  expect(out).toMatch(/\n {2}pnpm install .*\n {2}pnpm run types .*\n {2}pnpm run dev /);
  expect(Object.keys(contents(join(cwd, 'app')))).toContain('two-customers.ts');
});

test('--list, --dry-run and --json have the files of the examples', async () => {
  const { out: list, cwd } = await run(['--list', '--example', 'room']);
  expect(list).toContain('\nsrc/room.ts\n');
  expect(list).toContain('\npublic/room.html\n');
  const dry = await run(['app', '--example', 'room', '--dry-run'], { cwd });
  expect(dry.out).toContain('Would run: npm install, npm run types, git init, git commit\n');
  expect(contents(cwd)).toEqual({});
  const json = await runScaffolder(['app', '--example', 'room', '--dry-run', '--json'], { cwd });
  expect(JSON.parse(json.out)).toMatchObject({ dryRun: true, examples: ['room'] });
  const { out } = await runScaffolder(['app', '--example', 'room', '--json', ...OFFLINE], { cwd });
  expect(JSON.parse(out)).toMatchObject({ ok: true, examples: ['room'] });
});

test.each([
  ['npm', []],
  ['bun', []],
  ['pnpm', ['pnpm-workspace.yaml']],
  ['yarn', ['.yarnrc.yml']],
])('a project for %s has the files of that package manager: %j', async (manager, expected) => {
  const { cwd } = await run(['app', '--pm', manager, ...OFFLINE]);
  const found = Object.keys(contents(join(cwd, 'app'))).filter((path) =>
    ['.yarnrc.yml', 'pnpm-workspace.yaml'].includes(path),
  );
  expect(found).toEqual(expected);
});

/** A package manager that records its commands, and ends with a given code. */
const MANAGER = `#!/bin/sh
echo "$@" >> commands
case "$*" in *types) exit \${CODE_OF_TYPES:-0};; esac
`;

test.each([
  ['0', 0, 'Created app with room.\n', []],
  ['1', 1, 'bun run types failed with exit code 1.', ['bun run types']],
])(
  'the types are generated before the first commit: exit code %s',
  async (types, code, text, next) => {
    const cwd = temporaryFolder({ 'bin/bun': MANAGER });
    chmodSync(join(cwd, 'bin/bun'), 0o755);
    const env = {
      PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`,
      CODE_OF_TYPES: types,
      GIT_AUTHOR_NAME: 'Someone',
      GIT_AUTHOR_EMAIL: 'someone@example.com',
      GIT_COMMITTER_NAME: 'Someone',
      GIT_COMMITTER_EMAIL: 'someone@example.com',
    };
    const args = ['app', '--example', 'room', '--pm', 'bun', '--json'];
    const outcome = await runScaffolder(args, { cwd, env });
    expect(outcome).toMatchObject({ code, err: expect.stringContaining(text) });
    expect(contents(join(cwd, 'app'))['commands']).toBe('install\nrun types\n');
    const committed = execFileSync('git', ['ls-files'], {
      cwd: join(cwd, 'app'),
      encoding: 'utf8',
    });
    expect(committed).toContain('commands\n');
    const result = JSON.parse(outcome.out);
    expect(result.next).toEqual([
      'cd app',
      ...next,
      'bun run dev',
      'bun run test',
      'bun run perf',
      'bun run deploy',
    ]);
    expect(result.code).toBe(code ? 'TYPES_FAILED' : undefined);
  },
);

test('leaves nothing if there is no space for the file of an example', async () => {
  const cwd = temporaryFolder();
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, FAIL_AT: 'room.test.ts', FAIL_WITH: 'ENOSPC' };
  const outcome = await runScaffolder(['app', '--example', 'room', ...OFFLINE], { cwd, env });
  expect(outcome).toMatchObject({ code: 1, err: expect.stringContaining('Failed: ENOSPC') });
  expect(contents(cwd)).toEqual({});
});
