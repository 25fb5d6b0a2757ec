/** Step: parses the command line, handles `--help` and `--version`, and refuses unknown options. */
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../console/failure.mjs';
import { ownManifest } from '../own-package.mjs';
import { packageManager } from '../packages/package-managers.mjs';
import { COUNTER, exampleMeantBy, EXAMPLES, listing } from '../examples.mjs';
import { didYouMean, similarTo } from './did-you-mean.mjs';
import { help, isListOf, itemsOf, OPTIONS } from './options.mjs';

/** Matches the path of a template on this machine. Any other source is fetched. */
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
    throw usage(
      `One directory is expected, but there are ${found}${optionMeant(directories, values)}`,
    );
  }
  const [directory] = directories;
  if (directory?.trim() === '') throw usage('The name of the directory is empty.');
  const { pm, from, verify, install, add, example, merge } = values;
  if (add && example) throw usage(`--example is for a new project. For this one: --add ${example}`);
  if (add && verify)
    throw usage('--verify needs the dependencies, which you install after --add: remove --verify.');
  if (verify && !install) throw usage('--verify needs the dependencies: remove --no-install.');
  const forPackaged = ['ui', 'example', 'schemas'].find((name) => values[name] !== undefined);
  if (from !== undefined && forPackaged)
    throw usage(
      `--${forPackaged} changes the packaged template, and --from names another template: remove one of the two.`,
    );
  if (example && merge)
    throw usage(
      '--example cannot be combined with --merge: use --add when the project is complete.',
    );
  const unfit = OPTIONS.find(({ name, newOnly }) => newOnly && values[field(name)]);
  if (add && unfit) throw usage(`--add cannot be combined with --${unfit.name}.`);
  // If an example has a page for one `--ui` only, the project gets this `--ui`.
  const ui = values['ui'] === undefined && Array.isArray(example) ? uiFor(example) : undefined;
  return {
    ...values,
    ...(ui && { ui }),
    directory,
    remote: typeof from === 'string' && !FOLDER.test(from),
    ...(typeof pm === 'string' && { packageManager: packageManager(pm) }),
  };
}

/** @param {string[]} examples - the names of the examples */
function uiFor(examples) {
  return examples.flatMap((name) => EXAMPLES[name]?.ui ?? [])[0];
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
    if (token.kind === 'positional') {
      // Text that was copied from a page may have another dash.
      const [, dashed] = /^\p{Pd}+([^=]+)/u.exec(token.value) ?? [];
      if (dashed) problem ??= unknown(token.value, `--${dashed}`);
      directories.push(token.value);
    }
    if (token.kind !== 'option') continue;
    const option = OPTIONS.find(
      ({ name, on }) => token.name === name || (on && token.name === `no-${name}`),
    );
    // `-add` is `-a -d -d` to the parser.
    const [word] = /^-[^-=]{2,}/.exec(args[token.index] ?? '') ?? [];
    problem ??= option
      ? problemWith(option, token)
      : unknown(word ?? token.rawName, word ? `-${word}` : token.rawName);
    if (!option) continue;
    const value = option.value ? token.value : token.name === option.name;
    const { [field(option.name)]: before } = values;
    values[field(option.name)] = option.isList
      ? [...new Set([...(Array.isArray(before) ? before : []), ...itemsOf(token.value ?? '')])]
      : value;
  }
  return { values, directories, problem };
}

/**
 * Adds the value of `--add` where it is left out. The word after `--add` is the value if it lists examples, and
 * otherwise the directory.
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

/** @param {string} name - the name of an option */
function field(name) {
  return name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** Returns the options in the form that parseArgs takes. In Node 20.0, parseArgs has no option `allowNegative`. */
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
  const wrong = (isList ? itemsOf(value) : [value]).filter(
    (one) => choices?.includes(one) === false,
  );
  if (choices && wrong.length > 0) {
    const meant = wrong.flatMap(
      (one) => (isList ? exampleMeantBy(one, choices) : similarTo(one, choices)) ?? [],
    );
    const [known, more] = isList ? ['a list of', `\n${listing(choices)}`] : ['one of', ''];
    const words = `'${wrong.join("', '")}' ${wrong.length > 1 ? 'are' : 'is'} not.`;
    return `${rawName} takes ${known} ${choices.join(', ')}; ${words}${didYouMean([...new Set(meant)].join(','))}${more}`;
  }
  const problem = check?.(value);
  return problem && `${rawName} '${value}' cannot be used: ${problem}`;
}

/**
 * @param {string} written
 * @param {string} [rawName] - the name with the dashes of an option
 */
function unknown(written, rawName = written) {
  const word = rawName.slice(2);
  const others = OPTIONS.flatMap(({ otherNames = [] }) => otherNames);
  const names = Object.keys(spellings()).map((name) => `--${name}`);
  const meant =
    optionWith(word) ??
    similarTo(rawName, names) ??
    optionWith(similarTo(word, others)) ??
    optionFor(word);
  return `Unknown option ${written}.${didYouMean(meant)}`;
}

/** @param {string} [otherName] - the name of an option in other programs */
function optionWith(otherName = '') {
  const option = OPTIONS.find(({ otherNames }) => otherNames?.includes(otherName));
  return option && `--${option.name}`;
}

/**
 * @param {string[]} directories - several directories, such as `app bank` in `app --example room bank`, or `add room`
 * @param {Record<string, unknown>} values
 * @returns {string} a question for the end of the message
 */
function optionMeant(directories, values) {
  for (const name of ['example', 'add']) {
    const given = values[name];
    if (!Array.isArray(given)) continue;
    const known = OPTIONS.find((option) => option.name === name)?.choices ?? [];
    const more = directories.flatMap((word) => {
      const items = itemsOf(word).flatMap((item) => exampleMeantBy(item, known) ?? []);
      return items.length === itemsOf(word).length ? items : [];
    });
    if (more.length > 0)
      return `.${didYouMean(`--${name} ${[...new Set([...given, ...more])].join(',')}`)}`;
  }
  const [first = '', ...others] = directories;
  const names = OPTIONS.map(({ name }) => name);
  const command = similarTo(first, names);
  if (command) return `.${didYouMean(`--${command} ${others.join(' ')}`)}`;
  const options = others.flatMap((word) => optionFor(word) ?? []);
  return options.length === others.length ? `.${didYouMean([first, ...options].join(' '))}` : '';
}

/**
 * @param {string} word - for example `react`, if the user wrote `--react`
 * @returns {string | undefined} the option with the choice that is similar to the word
 */
function optionFor(word) {
  for (const { name, choices = [] } of OPTIONS) {
    const choice = similarTo(word, choices);
    if (choice) return `--${name} ${choice}`;
  }
  return undefined;
}
