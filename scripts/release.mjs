/**
 * `npm run release`: publishes lumenize-rpc and create-lumenize-rpc, whose template then depends on that version of
 * the runtime in place of the vendored folder. `npm run release -- --dry-run` publishes nothing. Other
 * options go to `npm publish`, such as `--provenance`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository, git, packedIn, REPOSITORY as ROOT } from '../harness/repository.mjs';

const RUNTIME = 'lumenize-rpc';
const SCAFFOLDER = 'create-lumenize-rpc';

/** The files that a tarball may contain besides its README, its license and its manifest. @type {Record<string, RegExp>} */
const CONTENTS = {
  [RUNTIME]:
    /^(?:dist\/[\w-]+(?:\.d\.ts|\.js)|docs\/(?:guides\/)?[\w-]+\.md|skills\/lumenize-rpc\/SKILL\.md|llms\.txt)$/,
  [SCAFFOLDER]: /^dist\/(?:[\w-]+\.[cm]?js|LICENSES\.txt|(?:template|examples)\/.+)$/,
};
/** Matches files that belong to one machine, or only to this repository. */
const STRAY = /(?:^|\/)(?:node_modules|\.wrangler|vendor)\/|\.env|\.dev\.vars|\.npmrc|\.log$/;

/** @typedef {{ name: string, version: string, tarball: string, files: string[], size: number }} Packed */

const args = process.argv.slice(2);
const isDryRun = args.includes('--dry-run');
const rest = args.filter((arg) => arg !== '--dry-run');

const folder = fs.mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const { version } = readJson(join(ROOT, 'package.json'));
const copy = join(folder, 'repository');
copyRepository(copy);
useVersion(copy);
// Both packages are packed before the first is published, because the second depends on the first.
const all = [pack(buildRuntime()), pack(copy)];
const problems = [...problemsOfVersion(), ...all.flatMap(problemsOf)];
for (const { name, files, size } of all) {
  console.log(`${name} ${version}: ${files.length} files, ${Math.ceil(size / 1000)} kB packed`);
}
if (problems.length > 0) {
  console.error(`\nNot ready:\n${problems.map((problem) => `- ${problem}\n`).join('')}`);
  process.exitCode = 1;
} else if (isDryRun) {
  const how = rest.length > 0 ? ` with ${rest.join(' ')}` : '';
  console.log(`Would publish both to ${npm(['config', 'get', 'registry'], ROOT).trim()}${how}.`);
} else {
  all.forEach(publish);
}

/**
 * Makes the template depend on the version that is published with it.
 *
 * @param {string} repository
 */
function useVersion(repository) {
  const template = join(repository, 'template');
  fs.rmSync(join(template, 'vendor'), { recursive: true });
  change(join(template, 'package.json'), ({ dependencies, ...manifest }) => ({
    ...manifest,
    dependencies: { ...dependencies, [RUNTIME]: `^${version}` },
  }));
  withRepository(repository, '.');
}

/** @returns {string} the folder of the built package */
function buildRuntime() {
  const built = join(folder, RUNTIME);
  const program = `import { buildPackage } from './runtime/build.mjs'; await buildPackage(process.argv[1]);`;
  execFileSync('node', ['--input-type=module', '-e', program, built], {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  withRepository(built, 'runtime');
  return built;
}

/**
 * Adds the repository to a manifest, because npm states the provenance only for a package that names its repository. In CI,
 * it is the repository in which CI runs.
 *
 * @param {string} place - the path of a manifest
 * @param {string} directory - the directory of the package in the repository
 */
function withRepository(place, directory) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (!server || !name) return;
  const repository = { type: 'git', url: `git+${server}/${name}.git`, directory };
  change(join(place, 'package.json'), (manifest) => ({ repository, ...manifest }));
}

/**
 * @param {string} place - the folder of a package
 * @returns {Packed}
 */
function pack(place) {
  const output = npm(['pack', '--json', '--pack-destination', folder], place);
  const { name, filename, files, size, version: packed } = packedIn(output);
  const paths = files.map(({ path }) => path);
  return { name, version: packed, tarball: join(folder, filename), files: paths, size };
}

/** @returns {string[]} the problems with the version, the tag and the changelog */
function problemsOfVersion() {
  const found = [];
  const changelog = fs.readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const section = changelog.split(/^## /m).find((one) => /^\S+/.exec(one)?.[0] === version);
  if (!section) found.push(`CHANGELOG.md has no section "## ${version}"`);
  else if (!/^- /m.test(section)) found.push(`CHANGELOG.md lists no change in "## ${version}"`);
  const tag = `v${version}`;
  const here = git(['tag', '--points-at', 'HEAD'], ROOT)
    .split('\n')
    .filter((one) => /^v\d/.test(one));
  const isTagged = git(['tag', '--list', tag], ROOT).trim() !== '';
  for (const other of here.filter((one) => one !== tag)) {
    found.push(`HEAD has the tag ${other}, and package.json the version ${version}`);
  }
  if (isTagged && !here.includes(tag)) {
    found.push(`The tag ${tag} is on another commit: raise the version in both package.json files`);
  } else if (!isTagged && !isDryRun) {
    found.push(`HEAD has no tag: git tag ${tag}`);
  }
  if (!isDryRun && git(['status', '--porcelain'], ROOT).trim() !== '') {
    found.push('There are changes that are not committed: commit them');
  }
  return found;
}

/**
 * @param {Packed} packed
 * @returns {string[]} the problems with its contents
 */
function problemsOf({ name, version: own, files, tarball }) {
  const found = [];
  if (own !== version) found.push(`${name} has the version ${own}, and package.json ${version}`);
  const usual = ['LICENSE', 'README.md', 'package.json'];
  for (const path of usual.filter((one) => !files.includes(one))) {
    found.push(`${name} has no ${path}`);
  }
  const allowed = CONTENTS[name] ?? /^$/;
  for (const path of files.filter((one) => !usual.includes(one))) {
    if (!allowed.test(path) || STRAY.test(path)) found.push(`${name} has ${path}`);
  }
  const manifest = JSON.parse(contentOf(tarball, 'package.json'));
  for (const path of namedIn(manifest).filter((one) => !files.includes(one))) {
    found.push(`The package.json of ${name} names ${path}, which the package does not have`);
  }
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies };
  if (name === SCAFFOLDER) {
    const template = JSON.parse(contentOf(tarball, 'dist/template/package.json'));
    if (template.dependencies[RUNTIME] !== `^${version}`) {
      found.push(`The template depends on ${RUNTIME} ${template.dependencies[RUNTIME]}`);
    }
    Object.assign(installed, template.dependencies, template.devDependencies);
  }
  for (const [one, range] of Object.entries(installed)) {
    if (/^(?:file|link|workspace|git)/.test(range))
      found.push(`${name} depends on ${one} ${range}`);
  }
  return found;
}

/**
 * @param {{ bin?: Record<string, string>, exports?: Record<string, string | Record<string, string>> }} manifest
 * @returns {string[]} the files that it names
 */
function namedIn({ bin = {}, exports = {} }) {
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  return [...Object.values(bin), ...entries].map((path) => path.replace('./', ''));
}

/** @param {Packed} packed */
function publish({ name, tarball }) {
  // A release that was interrupted between the two packages goes on with the second.
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0 && stdout.trim() === version)
    return console.log(`${name} ${version} is published already.`);
  execFileSync('npm', ['publish', tarball, '--access', 'public', ...rest], {
    cwd: folder,
    stdio: 'inherit',
  });
  return console.log(`Published ${name} ${version}.`);
}

/**
 * @param {string} tarball
 * @param {string} path - the path of a file in the package
 */
function contentOf(tarball, path) {
  return execFileSync('tar', ['-xzOf', tarball, `package/${path}`], { encoding: 'utf8' });
}

/**
 * @param {string[]} command
 * @param {string} cwd
 */
function npm(command, cwd) {
  return execFileSync('npm', command, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * @param {string} path
 * @param {(manifest: any) => object} by
 */
function change(path, by) {
  fs.writeFileSync(path, `${JSON.stringify(by(readJson(path)), undefined, 2)}\n`);
}

/**
 * @param {string} path
 * @returns {any}
 */
function readJson(path) {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}
