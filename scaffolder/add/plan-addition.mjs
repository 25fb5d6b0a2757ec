/**
 * Step: plans the changes of `--add` to an existing project, and writes nothing. It refuses a project
 * in which something is missing, in the way, or cannot be read.
 */
import { existsSync, lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { ownTemplate } from '../own-package.mjs';
import { isIgnoredFolder, templateFiles } from '../templates/template-files.mjs';
import { extended } from './configuration.mjs';
import { withEntry } from './entry/entry.mjs';
import { importExtension } from './entry/import-extension.mjs';
import { chooseNames, freeTag, renamed } from './names.mjs';
import { packageManagerIn, withPackages } from './packages.mjs';
import { existingFolder, findProject, refuseRuntime, VENDORED } from './project.mjs';
import { testFile } from './test-file.mjs';
import { readText, withLineEnds } from './text/file-text.mjs';
import { withBindingTypes } from './tsconfig.mjs';

/** Calls to the methods of a Durable Object need this compatibility date or later, or this flag. */
const RPC = { date: '2024-04-03', flag: 'rpc' };

/** Most projects ignore `dist`, wherever it is. */
const EVERYTHING_TO_GIT = `# This folder belongs to the project until the package comes from a registry.
!*
`;

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('./entry/entry.mjs').Names} Names */

/**
 * @typedef {object} Addition
 * @property {Map<string, string>} created - texts by path; those of the package come first
 * @property {Map<string, { before: string, after: string }>} changed - texts by path
 * @property {string[]} notes - texts for the user
 * @property {Names} names
 * @property {string} main - the Worker's main file
 * @property {string} [byHand] - lines that the user has to insert into the main file
 * @property {string} [reason] - why the user has to insert them
 * @property {boolean} isTypeless - whether Node has to find out that files are modules
 * @property {string} [typesScript] - the script that generates the types of the bindings
 * @property {string} [devScript] - the script that starts the Worker on this machine
 * @property {boolean} isVite - whether Vite starts it, with Cloudflare's plugin
 * @property {boolean} hasReact - whether the pages are in React
 */

/**
 * @param {Pick<Context, 'cwd' | 'create' | 'packageManager'> & { directory?: string, pm?: string }} context
 * @returns {Partial<Context>}
 */
export default function planAddition(context) {
  const { packageManager, pm } = context;
  const target = existingFolder(context);
  const found = findProject(target, context);
  const { configuration, main, entry } = found;
  refuseRuntime(target, found, context);

  const textAt = (/** @type {string} */ path) => readText(join(target, path)) ?? '';
  const sources = posix.dirname(main);
  const extension = importExtension(target, main, entry);
  const names = { ...chooseNames(join(target, sources), entry, configuration.value), extension };
  const placed = withEntry(entry, names, main.endsWith('x'));
  const packages = withPackages(textAt('package.json'), ownPackages());
  const { typesFile } = packages;
  const { file, text, value } = configuration;
  const changed = new Map(
    [
      /** @type {const} */ ([file, extended(file, text, additionsTo(value, names))]),
      /** @type {const} */ (['package.json', packages.text]),
      ...(typesFile ? withBindingTypes(target, main, typesFile) : []),
      /** @type {const} */ ([main, placed.text]),
    ]
      .map(([path, after]) => /** @type {const} */ ([path, { before: textAt(path), after }]))
      .filter(([, { before, after }]) => before !== after),
  );
  const created = new Map([...packageFiles(), objectFile(sources, names, entry)]);
  const { checkers, devScript, hasReact, isTypeless, isVite, outdated, testModule, typesScript } =
    packages;
  const hasTests = testModule !== undefined && outdated.length === 0;
  const tests = hasTests && testFile(target, sources, names, testModule);
  if (tests) created.set(tests.path, withLineEnds(tests.text, entry));
  refuseObstacles(target, [...changed.keys()], [...created.keys()]);
  const { byHand, reason } = placed;
  return {
    target,
    packageManager: pm ? packageManager : packageManagerIn(target, packageManager),
    addition: {
      created,
      changed,
      notes: [
        noteOnChecks(placed.isHono),
        ...notesOnPackages(outdated),
        ...notesOn(value, names),
        ...(created.has(`${VENDORED}package.json`) ? notesOnPackage(target, checkers) : []),
      ],
      names,
      main,
      isTypeless,
      isVite,
      hasReact,
      ...(byHand && { byHand, reason }),
      ...(typesScript && { typesScript }),
      ...(devScript && { devScript }),
    },
  };
}

/** @returns {import('../context.mjs').Manifest} the template's package.json */
function ownPackages() {
  return JSON.parse(readText(join(ownTemplate(), 'package.json')) ?? '');
}

/**
 * @param {any} configuration
 * @param {Names} names
 * @returns {[path: string[], item: import('./text/jsonc.mjs').Json][]}
 */
function additionsTo(configuration, { className, binding }) {
  const {
    migrations,
    compatibility_date: date = '',
    compatibility_flags: flags = [],
  } = configuration;
  /** @type {ReturnType<typeof additionsTo>} */
  const additions = [
    [['durable_objects', 'bindings'], { name: binding, class_name: className }],
    [['migrations'], { tag: freeTag(migrations), new_sqlite_classes: [className] }],
  ];
  const isTooOld = date && String(date) < RPC.date && !flags.includes(RPC.flag);
  return isTooOld ? [...additions, [['compatibility_flags'], RPC.flag]] : additions;
}

/** @returns {[path: string, text: string][]} the package, with a file by which git has all of it */
function packageFiles() {
  const files = templateFiles(ownTemplate()).filter(({ path }) => path.startsWith(VENDORED));
  // Once the package comes from a registry, the template has no such folder.
  if (files.length === 0) return [];
  return [
    ...files.map(
      ({ source, path }) => /** @type {[string, string]} */ ([path, readText(source) ?? '']),
    ),
    [`${VENDORED}.gitignore`, EVERYTHING_TO_GIT],
  ];
}

/**
 * @param {string} sources
 * @param {Names} names
 * @param {string} model - a text with the project's line ends
 * @returns {[path: string, text: string]}
 */
function objectFile(sources, names, model) {
  const counter = readText(join(ownTemplate(), 'src/counter.ts')) ?? '';
  // The default type argument of `DurableObject` is the type of the bindings, whatever its name.
  const text = renamed(counter.replace('DurableObject<Env>', 'DurableObject'), names);
  return [posix.join(sources, `${names.module}.ts`), withLineEnds(text, model)];
}

/**
 * @param {string} target
 * @param {string[]} changed
 * @param {string[]} created
 */
function refuseObstacles(target, changed, created) {
  refuseLinks(target, [...changed, ...created]);
  const found = created.find((path) => existsSync(join(target, path)));
  if (found) throw conflict(`${found} exists already.`, 'Rename it and try again.');
}

/**
 * Refuses to write through symbolic links, because the target of a link may be shared.
 *
 * @param {string} project
 * @param {string[]} paths - relative to the project; the folders above each path are checked too
 */
function refuseLinks(project, paths) {
  const ways = paths.flatMap((path) =>
    path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/')),
  );
  for (const path of new Set(ways)) {
    if (lstatSync(join(project, path), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw conflict(
        `${path} is a link.`,
        'Run this where the files are, or put files in its place.',
      );
    }
  }
}

/**
 * @param {string} project
 * @param {string[]} checkers - linters and formatters
 */
function notesOnPackage(project, checkers) {
  const notes = [];
  if (isIgnoredFolder(project, VENDORED.slice(0, -1))) {
    notes.push(
      `A .gitignore leaves out ${VENDORED}, which the project needs: ` +
        `add the lines !/vendor/ and !/${VENDORED} to it.`,
    );
  }
  if (checkers.length > 0) {
    notes.push(`Tell ${checkers.join(' and ')} to leave out ${VENDORED}: it is not yours to edit.`);
  }
  return notes;
}

/** @param {boolean} [isHono] */
function noteOnChecks(isHono) {
  const checks = isHono ? 'Your middleware' : 'Your fetch';
  return (
    `${checks} does not check these calls. Until you use onBeforeConnect and onBeforeRequest of ` +
    'routeDORequest, everyone who can reach the Worker can call the object.'
  );
}

/** @param {string[]} outdated */
function notesOnPackages(outdated) {
  return outdated.map((one) => `${one} is too old for the runtime: update it.`);
}

/**
 * @param {any} configuration
 * @param {Names} names
 */
function notesOn({ env, compatibility_date: date }, { className, binding }) {
  const environments = Object.keys(env ?? {});
  const notes = [];
  if (date && String(date) < RPC.date) {
    notes.push(`Before compatibility date ${RPC.date}, calls to objects need the flag "rpc".`);
  }
  if (environments.length > 0) {
    notes.push(
      `Environments do not inherit bindings. Add ${binding} (class ${className}) to those that need it: ` +
        `${environments.join(', ')}.`,
    );
  }
  return notes;
}
