/** Step: parses the command line, handles `--help` and `--version`, and refuses unknown options. */
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../console/failure.mjs';
import { ownManifest } from '../own-package.mjs';
import { packageManager } from '../packages/package-managers.mjs';
import { COUNTER, listing } from '../examples.mjs';
import { similarTo } from './did-you-mean.mjs';
import { help, isListOf, OPTIONS } from './options.mjs';

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
  const { pm, from, verify, install, add, example, merge } = values;
  if (add && example) throw usage(`--add takes the names of examples itself: --add ${example}`);
  if (add && verify)
    throw usage('--verify needs the dependencies, which you install after --add: leave it out.');
  if (verify && !install) throw usage('--verify needs the dependencies: remove --no-install.');
  const ofPackaged = ['ui', 'example'].find((name) => values[name] !== undefined);
  if (from !== undefined && ofPackaged)
    throw usage(
      `--${ofPackaged} is for the packaged template, and --from takes another: leave one out.`,
    );
  if (example && merge)
    throw usage(
      '--example cannot be combined with --merge: use --add when the project is complete.',
    );
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
  /** @type {Record<string, string | boolean | string[] | undefined>} */
  const values = {};
  for (const { name, value, on } of OPTIONS) values[field(name)] = value ? undefined : Boolean(on);
  /** @type {string[]} */
  const directories = [];
  /** @type {string | undefined} */
  let problem;
  // Some package managers need a `--` before the options, and others pass it on to this program.
  const args = withNames(argv.filter((arg) => arg !== '--'));
  const { tokens } = parseArgs({ args, options: spellings(), strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') directories.push(token.value);
    if (token.kind !== 'option') continue;
    const option = OPTIONS.find(
      ({ name, on }) => token.name === name || (on && token.name === `no-${name}`),
    );
    problem ??= option ? problemWith(option, token) : unknown(token.rawName);
    if (!option) continue;
    const value = option.value ? token.value : token.name === option.name;
    values[field(option.name)] = option.isList ? [...new Set(token.value?.split(','))] : value;
  }
  return { values, directories, problem };
}

/**
 * The value of `--add` can be left out. What follows is its value if it can be, or else the directory.
 *
 * @param {string[]} args
 * @returns {string[]} with a value for `--add`
 */
function withNames(args) {
  const namesAt = (/** @type {number} */ i) =>
    args[i - 1] === '--add' && isListOf('add', args[i] ?? '') ? args[i] : undefined;
  return args.flatMap((arg, i) => {
    if (arg === '--add') return `--add=${namesAt(i + 1) ?? COUNTER}`;
    return namesAt(i) ? [] : arg;
  });
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
function problemWith(option, { rawName, value, inlineValue }) {
  const { value: placeholder, choices, isList, check } = option;
  if (!placeholder) return value === undefined ? undefined : `${rawName} takes no value.`;
  // In `--name --git` the value is missing. A value that begins with a dash needs `--name=--git`.
  if (value === undefined || (!inlineValue && /^-./.test(value))) {
    const values = isList ? undefined : choices?.join('|');
    return `${rawName} needs a value: ${rawName} ${values ?? placeholder}`;
  }
  const wrong = (isList ? value.split(',') : [value]).find(
    (one) => choices?.includes(one) === false,
  );
  if (choices && wrong !== undefined) {
    const meant = didYouMean(similarTo(wrong, choices));
    const known = isList ? 'a list of' : 'one of';
    const more = isList ? `\n${listing(choices)}` : '';
    return `${rawName} is ${known} ${choices.join(', ')}; '${wrong}' is not.${meant}${more}`;
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
