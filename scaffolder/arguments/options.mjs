/** Lists all options, and writes the text of `--help`. The parser of the command line and the recovery of lost flags use the list. */
import { COUNTER, EXAMPLES, listing as listingOfExamples } from '../examples.mjs';
import { LIBRARIES } from '../schemas/choose-library.mjs';
import {
  isPackageName,
  isWorkerName,
  PACKAGE_LETTERS,
  toPackageName,
  toWorkerName,
} from '../packages/names.mjs';

/**
 * @typedef {object} Option
 * @property {string} name - the name in camel case, which is also the name of the context's field
 * @property {string} help
 * @property {string} [value] - the placeholder of its value in `--help`; without a placeholder, the option is a switch
 * @property {readonly string[]} [choices] - the only allowed values
 * @property {boolean} [isList] - whether the value is a list of choices, separated by commas; given twice, the lists
 *   add up
 * @property {(value: string) => string | undefined} [check] - returns the problem with a value
 * @property {string} [short]
 * @property {boolean} [on] - whether the switch is on unless `--no-<name>` turns it off
 * @property {boolean} [newOnly] - whether the option cannot be used with an existing project
 * @property {readonly string[]} [otherNames] - names of this option in other programs, for suggestions
 */

/** The pages that a project can have. The template has the first page, and `examples/ui/` has the others. */
export const UIS = /** @type {const} */ ({
  plain: 'no framework; bundled by esbuild',
  react: 'React, with Vite',
  none: 'no page: a Worker and an object',
});

/** @type {readonly Option[]} */
export const OPTIONS = [
  {
    name: 'name',
    newOnly: true,
    value: '<name>',
    help: "name of the package (default: the directory's name)",
    check: checkPackageName,
  },
  {
    name: 'worker-name',
    newOnly: true,
    value: '<name>',
    help: 'name of the Worker (default: from the name of the package)',
    check: checkWorkerName,
  },
  {
    name: 'pm',
    value: '<manager>',
    help: 'npm, pnpm, yarn or bun (default: the manager that runs this program)',
    choices: ['npm', 'pnpm', 'yarn', 'bun'],
    otherNames: ['package-manager'],
  },
  {
    name: 'from',
    newOnly: true,
    value: '<source>',
    help: 'another template: owner/repo[/folder][#ref], a git URL, ./folder',
    check: (value) => (value.trim() ? undefined : 'it is empty'),
    otherNames: ['template'],
  },
  {
    name: 'ui',
    newOnly: true,
    value: '<ui>',
    help: 'the page: plain (default), react (with Vite) or none',
    choices: Object.keys(UIS),
    otherNames: ['framework'],
  },
  {
    name: 'example',
    newOnly: true,
    value: '<names>',
    help: 'add examples, such as room,bank',
    choices: Object.keys(EXAMPLES).filter((name) => name !== COUNTER),
    isList: true,
    otherNames: ['examples'],
  },
  {
    name: 'schemas',
    value: '<library>',
    help: 'zod, valibot, arktype or typebox (default: as the project, or typebox)',
    choices: Object.keys(LIBRARIES),
    otherNames: ['schema', 'validator', 'validation'],
  },
  { name: 'install', on: true, help: 'do not install dependencies' },
  { name: 'git', on: true, help: 'do not create a git repository' },
  {
    name: 'merge',
    newOnly: true,
    help: 'add the missing files to a directory that is not empty',
    otherNames: ['force', 'overwrite'],
  },
  {
    name: 'add',
    value: '[names]',
    help: 'add examples, or the counter, to the Workers project in the directory',
    choices: Object.keys(EXAMPLES),
    isList: true,
  },
  {
    name: 'verify',
    help: 'check the result: types, tests, an RPC call, a deployment without upload',
  },
  { name: 'dry-run', help: 'show the files that would be written, and write nothing' },
  { name: 'list', newOnly: true, help: "list the template's files, and write nothing" },
  { name: 'json', help: 'print the result as one JSON object, and all text to stderr' },
  {
    name: 'yes',
    short: 'y',
    help: 'ask no questions; a new project without a directory is in my-app',
  },
  { name: 'help', short: 'h', help: 'print this text' },
  { name: 'version', short: 'v', help: 'print the version' },
];

/**
 * The text of `--help`.
 *
 * @param {(...args: string[]) => string} create - returns the command that starts this program
 */
export const help = (create) => `\
Writes a Cloudflare Workers project whose Durable Object answers typed, validated RPC calls.

  ${create('[directory]', '[--option ...]')}

Without a directory, the program asks for one. Without a terminal, it exits with 2.

Options
${listing()}

Examples
${listingOfExamples(Object.keys(EXAMPLES))}

Exit codes
  0 done    1 failed    2 wrong usage    130 interrupted (SIGTERM: 143)
  3 conflict: the directory is not empty, or --add would replace existing code
`;

function listing() {
  const lines = OPTIONS.map(({ name, value, short, on, help: text }) => {
    const option = `--${on ? 'no-' : ''}${name}`;
    return [[option, value].filter(Boolean).join(' ') + (short ? `, -${short}` : ''), text];
  });
  const width = Math.max(...lines.map(([option = '']) => option.length));
  return lines.map(([option = '', text]) => `  ${option.padEnd(width)}  ${text}`).join('\n');
}

/**
 * @param {string} name - the name of an option with a list of choices
 * @param {string} word
 * @returns {boolean} whether the word can be a value of the option
 */
export function isListOf(name, word) {
  const { choices } = OPTIONS.find((option) => option.name === name) ?? {};
  return itemsOf(word).every((one) => choices?.includes(one));
}

/**
 * @param {string} value - the value of an option with a list
 * @returns {string[]}
 */
export function itemsOf(value) {
  return value.split(',').map((item) => item.trim());
}

/** @param {string} name */
function checkPackageName(name) {
  if (!isPackageName(name)) {
    return (
      `it must be ${PACKAGE_LETTERS}, with an optional @scope/ and no dot or underscore first. ` +
      `For example: --name ${toPackageName(name)}`
    );
  }
  return toWorkerName(name)
    ? undefined
    : 'it needs a letter or a digit, for the name of the Worker';
}

/** @param {string} name */
function checkWorkerName(name) {
  if (isWorkerName(name)) return undefined;
  const example = toWorkerName(toPackageName(name));
  return (
    'it must be at most 63 lower-case letters, digits and dashes, with no dash at either end. ' +
    `For example: --worker-name ${example}`
  );
}
