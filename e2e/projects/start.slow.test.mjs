/** Tests `npm start` in a clone: its output, its effects, and the files that it leaves. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { filesOfGit, outsideEnvironment, REPOSITORY, run } from '../setup/outside.mjs';

const FIRST_LINE = /^This installs packages, scaffolds a project, .* about \d minutes, or \d /;

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'start-test-')));
const env = {
  ...outsideEnvironment(root),
  // npm does not check metadata in its cache again.
  npm_config_prefer_offline: 'true',
};

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * @param {string} to
 * @param {string[]} folders - folders of the repository
 */
function copyFiles(to, folders) {
  for (const path of folders.flatMap(filesOfGit)) {
    fs.mkdirSync(dirname(join(to, path)), { recursive: true });
    fs.copyFileSync(join(REPOSITORY, path), join(to, path));
  }
}

/**
 * Copies a folder of packages as links to the same files. npm replaces files of packages, and never changes them.
 * Leaves out the caches of Vite and Vitest, which change while other tests run.
 *
 * @param {string} from
 * @param {string} to
 */
function linkFolder(from, to) {
  fs.mkdirSync(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (entry.name.startsWith('.vite')) continue;
    const [path, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(path, copy);
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(path), copy);
    else link(path, copy);
  }
}

/**
 * @param {string} file
 * @param {string} copy
 */
function link(file, copy) {
  try {
    fs.linkSync(file, copy);
  } catch {
    // The copy is on another disk.
    fs.copyFileSync(file, copy);
  }
}

/** @param {string} text - the whole output of npm and the program */
function linesOf(text) {
  const lines = text
    .split('\n')
    .filter((line) => line && !/^(> |npm warn (?!EBADENGINE))/.test(line));
  return lines.map((line) => line.trimEnd());
}

test('shows each step, and ends with three rows', async () => {
  const clone = join(root, 'clone');
  copyFiles(clone, ['.']);
  // An installation here would take a quarter of this file's CPU time. `npm ci` has installed the packages before.
  for (const folder of ['node_modules', 'template/node_modules']) {
    if (fs.existsSync(join(REPOSITORY, folder))) {
      linkFolder(join(REPOSITORY, folder), join(clone, folder));
    }
  }
  const { all } = await run('npm', ['start'], { cwd: clone, env });
  const lines = linesOf(all);
  expect(lines[0]).toMatch(FIRST_LINE);
  expect(lines.filter((line) => /^\d\/5 .* … /.test(line))).toHaveLength(5);
  expect(all).not.toContain('EBADENGINE');
  expect(all).toMatch(/ http: counter\.getValue\(\) +42$/m);
  const table = lines.slice(lines.findIndex((line) => line.startsWith('time  ')));
  expect(table).toEqual([
    expect.stringMatching(/^time +a call +compared with code by hand +with Cap'n Web$/),
    expect.stringMatching(/^100 increments, each awaited +\d+ µs( +[\d.]+ \([\d.–]+\)){2}$/),
    expect.stringMatching(/^100 increments in one tick +\d+ µs( +[\d.]+ \([\d.–]+\)){2}$/),
    expect.stringMatching(
      /^the first answer on a new connection +\d+ µs( +[\d.]+ \([\d.–]+\)){2}$/,
    ),
    'A lower figure is faster. The 95 % interval is in brackets. The full report: my-app/perf.log',
    '6 rounds of four workloads are too few for figures to quote. `npm run perf` measures all workloads.',
    'Next: cd my-app && npm run dev',
  ]);
  const report = fs.readFileSync(join(clone, 'my-app/perf.log'), 'utf8');
  expect(report).toContain('A call on the wire');
  expect(report).toContain('Estimated, not measured: getValue by this RPC on other networks');
  expect(report.split('\n').length).toBeGreaterThan(40);
});

/**
 * Copies only the part of the repository that installs, and requires a Node that does not exist yet.
 *
 * @param {string} name
 * @param {Record<string, string>} [scripts]
 */
function smallClone(name, scripts) {
  const clone = join(root, name);
  copyFiles(clone, ['harness', 'scripts']);
  const manifest = { name, engines: { node: '>=99' } };
  const all = { start: 'node scripts/start/start.mjs', ...scripts };
  fs.writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...manifest, scripts: all }));
  fs.writeFileSync(join(clone, 'scripts/start/tour.ts'), "console.log('the tour');\n");
  return clone;
}

test("hides npm's warning about a Node that it is about to replace", async () => {
  const cwd = smallClone('installs');
  const { all } = await run('npm', ['start'], { cwd, env });
  const lines = linesOf(all);
  expect(lines[0]).toMatch(FIRST_LINE);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^1\/5 {2}Installing the packages of this repository … \d+ s$/),
    'the tour',
  ]);
  expect((await run('npm', ['install'], { cwd, env })).all).toContain('EBADENGINE');
});

test('shows the warning, and the whole output, if the installation fails', async () => {
  const cwd = smallClone('fails', { postinstall: 'echo it broke && exit 7' });
  const failed = run('npm', ['start'], { cwd, env });
  await expect(failed).rejects.toThrow(/EBADENGINE[^]*node: '>=99'/);
  await expect(failed).rejects.toThrow(/npm start failed: npm install .* ended with exit code 7/);
  await expect(failed).rejects.toThrow('it broke');
  await expect(failed).rejects.not.toThrow('the tour');
});
