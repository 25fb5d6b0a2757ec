/** Checks that all commands in the guides name existing scripts, options and files. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../setup/outside.mjs';
import { blocksOf } from './blocks.mjs';

const IN_TEXT = /`((?:npm|npx|node) [^`\n]+)`/g;
const PROGRAMS = join(REPOSITORY, 'node_modules/.bin');

/** Commands that print the options of a script, or of `npm create`, if its source does not contain them. */
const HELP = {
  perf: ['template/perf/run.ts', '--help'],
  deploy: [join(PROGRAMS, 'wrangler'), 'deploy', '--help'],
  dev: [join(PROGRAMS, 'wrangler'), 'dev', '--help'],
  create: ['scaffolder/index.mjs', '--help'],
  'lumenize-rpc': ['runtime/src/contract/program/main.ts', '--help'],
};

/**
 * @param {string} guide
 * @returns {{ guide: string, command: string }[]} the commands in its blocks and in its text
 */
export function commandsOf(guide) {
  const inBlocks = blocksOf(guide)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n').map((line) => line.replace(/\s+#.*/, '').trim()));
  const source = readFileSync(join(REPOSITORY, guide), 'utf8');
  const text = source.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const inText = Array.from(text.matchAll(IN_TEXT), ([, command = '']) => command);
  const commands = new Set([...inBlocks, ...inText].filter(Boolean));
  return Array.from(commands, (command) => ({ guide, command }));
}

/**
 * @param {string} command
 * @param {string} guide - the guide with the command, because the template has scripts of its own
 * @returns {string | undefined} the problem with the command
 */
export function problemOf(command, guide) {
  const [, isInProject, bare = ''] = /^(cd my-app && )?(.*)/.exec(command) ?? [];
  const isOfProjects =
    /^(template\/|docs\/guides|docs\/authentication|runtime\/docs|runtime\/README)/;
  const isOfTemplate = isInProject || isOfProjects.test(guide);
  const home = join(REPOSITORY, isOfTemplate ? 'template' : '');
  const [program = '', first = '', ...rest] = bare.split(' ');
  if (program === 'npx') {
    const made = new Set(blocksOf(guide).map(({ file }) => file));
    const args = rest.filter((arg) => !made.has(arg));
    return problemOfProgram(first, args, home);
  }
  // `openapi.slow.test.mjs` runs them.
  if (['pip', 'openapi-python-client'].includes(program)) return undefined;
  // `http.slow.test.mjs` and `server-sent-events.slow.test.mjs` send the same requests.
  if (program === 'curl') return undefined;
  // The tests of the code run the files that the reader writes.
  if (program === 'node') return undefined;
  if (program !== 'npm') return 'not a command that is checked here';
  if (['ci', 'exec', 'install', 'ls', 'update'].includes(first)) return undefined;
  return problemOfScript(first === 'run' ? (rest[0] ?? '') : first, command, home);
}

/**
 * @param {string} script
 * @param {string} command
 * @param {string} home
 */
function problemOfScript(script, command, home) {
  const { scripts } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  if (home.endsWith('template')) Object.assign(scripts, scriptsOfExamples());
  if (!scripts[script] && script !== 'create') return `there is no script ${script}`;
  const options = command.match(/ --[a-z][\w-]*/g) ?? [];
  if (options.length === 0) return undefined;
  const help = helpOf(script, scripts[script]);
  return options.find((option) => !help.includes(option.trim()));
}

/** Returns the scripts that a project has with the examples. */
function scriptsOfExamples() {
  const descriptions = globSync('examples/*/example.json', { cwd: REPOSITORY });
  const read = (/** @type {string} */ path) => readFileSync(join(REPOSITORY, path), 'utf8');
  return Object.assign({}, ...descriptions.map((path) => JSON.parse(read(path)).scripts));
}

/** @type {Map<string, string>} */
const helps = new Map();

/**
 * @param {string} script
 * @param {string} command
 * @returns {string} text that contains its options: its help, or its source
 */
function helpOf(script, command) {
  const program = Object.entries(HELP).find(([name]) => name === script)?.[1];
  if (program) {
    const options = /** @type {const} */ ({ cwd: REPOSITORY, encoding: 'utf8' });
    const help = helps.get(script) ?? execFileSync(process.execPath, program, options);
    helps.set(script, help);
    return help;
  }
  return readFileSync(join(REPOSITORY, /node (\S+)/.exec(command)?.[1] ?? ''), 'utf8');
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} home
 */
function problemOfProgram(program, args, home) {
  // The program belongs to the package, which `node_modules` of this repository does not have.
  if (program === 'lumenize-rpc') {
    const words = args.filter((arg) => /^(--|contract$)/.test(arg));
    return words.find((word) => !helpOf(program, '').includes(word));
  }
  if (program !== 'degit' && !existsSync(join(PROGRAMS, program))) return `there is no ${program}`;
  const paths = args.filter((arg) => /^[\w-]+\/[\w./-]*$/.test(arg));
  if (program === 'degit') return undefined;
  // The name of a test file may be incomplete.
  const isThere = (/** @type {string} */ path) => globSync(`${path}*`, { cwd: home }).length > 0;
  return paths.find((path) => !isThere(path));
}
