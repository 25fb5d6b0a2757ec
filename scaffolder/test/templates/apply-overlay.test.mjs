/** The changes of overlays to the template. Tests in e2e/ check that their projects work. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UIS } from '../../arguments/options.mjs';
import { ownFolder } from '../../own-package.mjs';
import applyOverlay from '../../templates/apply-overlay.mjs';
import copyTemplate from '../../templates/copy-template.mjs';
import { templateFiles } from '../../templates/template-files.mjs';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { runScaffolder } from '../support/run-scaffolder.mjs';

const OVERLAYS = Object.keys(UIS).slice(1);

/** @param {string} ui */
function made(ui) {
  const project = temporaryFolder();
  copyTemplate({ cwd: '/', project });
  const before = contents(project);
  applyOverlay({ project, ui });
  return { before, after: contents(project) };
}

/** @param {Record<string, string>} folder */
const filesIn = (folder) => Object.keys(folder).filter((path) => !path.endsWith('/'));

test.each([
  {
    ui: 'react',
    added: [
      'index.html',
      'src/ui/clients.ts',
      'src/ui/connection.tsx',
      'src/ui/counter.tsx',
      'src/ui/main.tsx',
      'src/ui/problems.tsx',
      'src/ui/room.tsx',
      'src/ui/style.css',
      'src/ui/tsconfig.json',
      'vite.config.ts',
    ],
    removed: /^(?:public\/|src\/browser\/|src\/stack\.ts$)/,
    changed: [
      '.gitignore',
      'AGENTS.md',
      'README.md',
      'package.json',
      'pnpm-workspace.yaml',
      'src/index.ts',
      'tsconfig.json',
      'wrangler.jsonc',
    ],
    mentions: /src\/browser|public\/|build:page|stack\.ts|mappedStack/,
  },
])('$ui: adds, leaves out and changes these files', ({ ui, added, removed, changed, mentions }) => {
  const { before, after } = made(ui);
  const [old, now] = [filesIn(before), filesIn(after)];
  expect(now.filter((path) => !old.includes(path))).toEqual(added);
  expect(old.filter((path) => !now.includes(path))).toEqual(
    old.filter((path) => removed.test(path)),
  );
  expect(old.some((path) => removed.test(path))).toBe(true);
  const different = old.filter((path) => path in after && after[path] !== before[path]);
  expect(different).toEqual(changed);
  // No text mentions removed files.
  const stale = now.filter((path) => mentions.test(after[path] ?? ''));
  expect(stale).toEqual([]);
});

test.each(OVERLAYS)('%s: package.json keeps what the template has', (ui) => {
  const { before, after } = made(ui);
  const [old, now] = [before, after].map((files) => JSON.parse(files['package.json'] ?? ''));
  expect(Object.keys(now.scripts)).toEqual(
    expect.arrayContaining(['build', 'deploy', 'dev', 'lint', 'perf', 'test', 'typecheck']),
  );
  for (const name of ['dependencies', 'devDependencies']) {
    const names = Object.keys(now[name]);
    expect(names).toEqual(names.toSorted());
    const versions = Object.values(now[name]);
    expect(
      versions.filter(
        (version) => !/^(?:\d+\.\d+\.\d+(?:-[\w.-]+)?|file:vendor\/lumenize-rpc)$/.test(version),
      ),
    ).toEqual([]);
    for (const shared of names.filter((one) => one in old[name])) {
      expect(now[name][shared], shared).toBe(old[name][shared]);
    }
  }
});

test.each(OVERLAYS)('%s: its plugin runs on the runtime that wrangler has', (ui) => {
  const { after } = made(ui);
  const { devDependencies, overrides, resolutions } = JSON.parse(after['package.json'] ?? '');
  const installed = join(ownFolder('template'), '../node_modules/wrangler/package.json');
  const { dependencies, version } = JSON.parse(readFileSync(installed, 'utf8'));
  const { miniflare, workerd } = dependencies;
  // npm and bun read the first, Yarn the second, and pnpm its own file.
  expect(overrides).toEqual({ miniflare, workerd, wrangler: version });
  expect(resolutions).toEqual(overrides);
  for (const [name, wanted] of Object.entries(overrides)) {
    expect(after['pnpm-workspace.yaml']).toContain(`\n  ${name}: ${wanted}\n`);
  }
  expect(devDependencies.wrangler).toBe(version);
});

test.each(OVERLAYS)('%s: the same every time, and as --list says', async (ui) => {
  const cwd = temporaryFolder();
  const options = ['--ui', ui, '--name', 'shop', '--no-install', '--no-git'];
  for (const name of ['one', 'two']) {
    expect(await runScaffolder([name, ...options], { cwd })).toMatchObject({ code: 0, err: '' });
  }
  const [one, two] = ['one', 'two'].map((name) => contents(join(cwd, name)));
  expect(one).toEqual(two);
  const { out } = await runScaffolder(['--list', '--ui', ui, '--json'], { cwd });
  expect(JSON.parse(out).files.toSorted()).toEqual(filesIn(one ?? {}).toSorted());
});

test.each(OVERLAYS)(
  '%s: replaces no file of the template whole, and leaves the package alone',
  (ui) => {
    const files = templateFiles(join(ownFolder(`examples/ui/${ui}`), 'files')).map(
      ({ path }) => path,
    );
    const { before, after } = made(ui);
    expect(files.filter((path) => path in before)).toEqual([]);
    const runtime = filesIn(before).filter((path) => path.startsWith('vendor/'));
    expect(runtime.length).toBeGreaterThan(10);
    for (const path of runtime) expect(after[path], path).toBe(before[path]);
  },
);
