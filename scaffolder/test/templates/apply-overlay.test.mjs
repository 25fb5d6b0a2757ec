/** The changes of overlays to the template. Tests in e2e/ check that their projects work. */
import { existsSync, readFileSync } from 'node:fs';
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
      'src/ui/counter.tsx',
      'src/ui/main.tsx',
      'src/ui/status.tsx',
      'src/ui/style.css',
      'src/ui/tsconfig.json',
      'vite.config.ts',
    ],
    changed: [
      '.gitignore',
      'AGENTS.md',
      'README.md',
      'package.json',
      'pnpm-workspace.yaml',
      'tsconfig.json',
      'wrangler.jsonc',
    ],
    mentions: /src\/page|public\/|build:page/,
  },
  {
    ui: 'none',
    added: [],
    changed: [
      '.gitignore',
      'AGENTS.md',
      'README.md',
      'package.json',
      'tsconfig.json',
      'wrangler.jsonc',
    ],
    mentions: /src\/(?:page|ui)|public\/|build:page|"assets"|"esbuild": "/,
  },
])('$ui: adds, leaves out and changes these files', ({ ui, added, changed, mentions }) => {
  const { before, after } = made(ui);
  const [old, now] = [filesIn(before), filesIn(after)];
  expect(now.filter((path) => !old.includes(path))).toEqual(added);
  const ofThePage = old.filter((path) => /^(?:public|src\/page)\//.test(path));
  expect(ofThePage.length).toBeGreaterThan(1);
  // Every page has the policy.
  const left = ofThePage.filter((path) => path !== 'public/_headers' || ui === 'none');
  expect(old.filter((path) => !now.includes(path))).toEqual(left);
  const different = old.filter((path) => path in after && after[path] !== before[path]);
  expect(different).toEqual(changed);
  // No text mentions removed files, but for the page on projects with React.
  const stale = now.filter(
    (path) => mentions.test(after[path] ?? '') && !path.endsWith('guides/frameworks.md'),
  );
  expect(stale).toEqual([]);
});

test.each(OVERLAYS)('%s: package.json keeps what the template has', (ui) => {
  const { before, after } = made(ui);
  const [old, now] = [before, after].map((files) => JSON.parse(files['package.json'] ?? ''));
  expect(Object.keys(now.scripts)).toEqual(
    expect.arrayContaining(['deploy', 'dev', 'lint', 'perf', 'test', 'typecheck']),
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

test('react: the plugin of Vite runs on the runtime that wrangler has', () => {
  const { after } = made('react');
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
    const added = join(ownFolder(`examples/ui/${ui}`), 'files');
    const files = existsSync(added) ? templateFiles(added).map(({ path }) => path) : [];
    const { before, after } = made(ui);
    expect(files.filter((path) => path in before)).toEqual([]);
    const runtime = filesIn(before).filter((path) => path.startsWith('vendor/'));
    expect(runtime.length).toBeGreaterThan(10);
    for (const path of runtime) expect(after[path], path).toBe(before[path]);
  },
);

test.each([
  ['plain', 28],
  ['react', 28],
  ['none', 18],
])('%s: at most %i files beside the package', (ui, most) => {
  const project = temporaryFolder();
  copyTemplate({ cwd: '/', project });
  if (ui !== 'plain') applyOverlay({ project, ui });
  const files = contents(project);
  // Each of these is for one package manager only.
  const others = new Set(['.yarnrc.yml', 'pnpm-workspace.yaml']);
  const own = filesIn(files).filter((path) => !path.startsWith('vendor/') && !others.has(path));
  expect(own.length).toBeLessThanOrEqual(most);
});
