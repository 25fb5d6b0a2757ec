/** Step: parses the command line, handles `--help` and `--version`, and refuses unknown options. */
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../console/failure.mjs';
import { ownManifest } from '../own-package.mjs';
import { packageManager } from '../packages/package-managers.mjs';
import { similarTo } from './did-you-mean.mjs';
import { help, OPTIONS } from './options.mjs';

/** A template on this machine. Any other source is fetched. */
const FOLDER = /^(?:\.{0,2}[\\/]|\.{1,2}$|[a-z]:[\\/])/i;

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('./options.mjs').Option} Option */

/**
 * @param {Pick<Context, 'argv' | 'say' | 'create'>} context
 * @returns {Partial<Context>}
 */
export default function parseArguments({ argv, say, create }) {
  const usage = (/** @type {string} */ text) =>
    new Failure(`${text}\nTo list the options: ${create('--help')}`, EXIT.usage);
  const { values, directories, problem } = read(argv);
  if (values['help']) {
    say(help(create).trimEnd());
    return { finished: true };
  }
  if (values['version']) {
    const { version } = ownManifest();
    say(version);
    return { finished: true, result: { version } };
  }
  if (problem) throw usage(problem);
  if (directories.length > 1) {
    const found = `${directories.length}: ${directories.join(', ')}`;
    throw usage(`One directory is expected, but there are ${found}`);
  }
  const [directory] = directories;
  if (directory?.trim() === '') throw usage('The name of the directory is empty.');
  const { pm, from, verify, install, add } = values;
  if (add && verify)
    throw usage('--verify needs the dependencies, which you install after --add: leave it out.');
  if (verify && !install) throw usage('--verify needs the dependencies: remove --no-install.');
  if (from !== undefined && values['ui'] !== undefined)
    throw usage('--ui is for the packaged template, and --from takes another: leave one out.');
  const unfit = OPTIONS.find(({ name, newOnly }) => newOnly && values[field(name)]);
  if (add && unfit) throw usage(`--add cannot be combined with --${unfit.name}.`);
  return {
    ...values,
    directory,
    remote: typeof from === 'string' && !FOLDER.test(from),
    ...(typeof pm === 'string' && { packageManager: packageManager(pm) }),
  };
}

/**
 * Reads all arguments and returns the first problem, because `--help` works in spite of problems.
 *
 * @param {string[]} argv
 */
function read(argv) {
  /** @type {Record<string, string | boolean | undefined>} */
  const values = {};
  for (const { name, value, on } of OPTIONS) values[field(name)] = value ? undefined : Boolean(on);
  /** @type {string[]} */
  const directories = [];
  /** @type {string | undefined} */
  let problem;
  // Some package managers need a `--` before the options, and others pass it on to this program.
  const args = argv.filter((arg) => arg !== '--');
  const { tokens } = parseArgs({ args, options: spellings(), strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') directories.push(token.value);
    if (token.kind !== 'option') continue;
    const option = OPTIONS.find(
      ({ name, on }) => token.name === name || (on && token.name === `no-${name}`),
    );
    problem ??= option ? problemWith(option, token) : unknown(token.rawName);
    if (option)
      values[field(option.name)] = option.value ? token.value : token.name === option.name;
  }
  return { values, directories, problem };
}

/** @param {string} name - of an option */
function field(name) {
  return name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** The options in the form that parseArgs takes. Node 20.0 does not have its option `allowNegative`. */
function spellings() {
  /** @type {Record<string, { type: 'string' | 'boolean', short?: string }>} */
  const spec = {};
  for (const { name, value, short, on } of OPTIONS) {
    spec[name] = { type: value ? 'string' : 'boolean', ...(short && { short }) };
    if (on) spec[`no-${name}`] = { type: 'boolean' };
  }
  return spec;
}

/**
 * @param {Option} option
 * @param {{ rawName: string, value?: string | undefined, inlineValue?: boolean | undefined }} given
 * @returns {string | undefined}
 */
function problemWith({ value: placeholder, choices, check }, { rawName, value, inlineValue }) {
  if (!placeholder) return value === undefined ? undefined : `${rawName} takes no value.`;
  // In `--name --git` the value is missing. A value that begins with a dash needs `--name=--git`.
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    return `${rawName} needs a value: ${rawName} ${choices?.join('|') ?? placeholder}`;
  }
  if (choices && !choices.includes(value)) {
    return `${rawName} is one of ${choices.join(', ')}; '${value}' is not.${didYouMean(similarTo(value, choices))}`;
  }
  const problem = check?.(value);
  return problem && `${rawName} '${value}' cannot be used: ${problem}`;
}

/** @param {string} rawName */
function unknown(rawName) {
  const word = rawName.slice(2);
  const synonym = OPTIONS.find(({ otherNames }) => otherNames?.includes(word));
  const names = Object.keys(spellings()).map((name) => `--${name}`);
  const meant = synonym ? `--${synonym.name}` : (similarTo(rawName, names) ?? optionFor(word));
  return `Unknown option ${rawName}.${didYouMean(meant)}`;
}

/**
 * @param {string} word - for example `react`, of `--react`
 * @returns {string | undefined} the option with the choice that is similar to the word
 */
function optionFor(word) {
  for (const { name, choices = [] } of OPTIONS) {
    const choice = similarTo(word, choices);
    if (choice) return `--${name} ${choice}`;
  }
  return undefined;
}

/** @param {string} [meant] */
function didYouMean(meant) {
  return meant ? ` Did you mean ${meant}?` : '';
}
