/**
 * Step: plans the changes of `--add` to an existing project, and writes nothing. It refuses a project
 * in which something is missing, in the way, or cannot be read.
 */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { withCompilerOptions } from '../add/compiler-options.mjs';
import { extended } from '../add/configuration.mjs';
import { withEntry } from '../add/entry.mjs';
import { chooseNames, freeTag, renamed } from '../add/names.mjs';
import { packageManagerIn, withPackages } from '../add/packages.mjs';
import { existingFolder, findProject, refuseRuntime, runtimeBeside } from '../add/project.mjs';
import { testFile } from '../add/test-file.mjs';
import { conflict } from '../failure.mjs';
import { ownTemplate } from '../own-package.mjs';
import { refuseLinks } from '../refuse-links.mjs';
import { templateFiles } from '../template-files.mjs';
import { MANIFEST, readText, RUNTIME, withLineEnds } from '../update/manifest.mjs';

/** Calls to the methods of a Durable Object need this compatibility date or later, or this flag. */
const RPC = { date: '2024-04-03', flag: 'rpc' };

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('../add/entry.mjs').Names} Names */

/**
 * @typedef {object} Addition
 * @property {string} runtime - the runtime's folder, relative to the project
 * @property {Map<string, string>} created - texts by path, the runtime's manifest last
 * @property {Map<string, { before: string, after: string }>} changed - texts by path
 * @property {string[]} notes - texts for the user
 * @property {Names} names
 * @property {string} main - the Worker's main file
 * @property {string} [byHand] - lines that the user has to insert into the main file
 * @property {string} [reason] - why the user has to insert them
 * @property {boolean} isTypeless - whether Node has to find out that files are modules
 * @property {string} [typesScript] - the script that generates the types of the bindings
 * @property {string} [devScript] - the script that starts the Worker on this machine
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
  const runtime = runtimeBeside(main);
  refuseRuntime(target, runtime, found, context);

  const textAt = (/** @type {string} */ path) => readText(join(target, path)) ?? '';
  const sources = posix.dirname(main);
  const names = chooseNames(join(target, sources), entry, configuration.value);
  const placed = withEntry(entry, names, main.endsWith('x'));
  const packages = withPackages(textAt('package.json'), ownPackages());
  const options = withCompilerOptions(target, main, packages.typesFile);
  const { file, text, value } = configuration;
  const changed = new Map(
    [
      /** @type {const} */ ([file, extended(file, text, additionsTo(value, names))]),
      /** @type {const} */ (['package.json', packages.text]),
      ...options.changes,
      /** @type {const} */ ([main, placed.text]),
    ]
      .map(([path, after]) => /** @type {const} */ ([path, { before: textAt(path), after }]))
      .filter(([, { before, after }]) => before !== after),
  );
  const created = filesToCreate(sources, names, entry);
  const { devScript, isTypeless, outdated, testModule, typesScript } = packages;
  const hasTests = testModule !== undefined && outdated.length === 0;
  const tests = hasTests && testFile(target, sources, names, testModule);
  if (tests) created.set(tests.path, withLineEnds(tests.text, entry));
  refuseObstacles(target, [...changed.keys()], [...created.keys()]);
  const { byHand, reason } = placed;
  return {
    target,
    packageManager: pm ? packageManager : packageManagerIn(target, packageManager),
    addition: {
      runtime,
      created,
      changed,
      notes: [
        noteOnChecks(placed.isHono),
        ...notesOnPackages(outdated),
        ...notesOn(value, names, options.isFound, main),
      ],
      names,
      main,
      isTypeless,
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
 * @returns {[path: string[], item: import('../add/jsonc.mjs').Json][]}
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

/**
 * @param {string} sources
 * @param {Names} names
 * @param {string} model - a text with the project's line ends
 * @returns {Map<string, string>}
 */
function filesToCreate(sources, names, model) {
  const template = ownTemplate();
  const runtime = templateFiles(template).filter(({ path }) => path.startsWith(RUNTIME));
  // The manifest comes last, as in an update: a project that has it has all files of the runtime.
  runtime.sort((a, b) => Number(a.path === MANIFEST) - Number(b.path === MANIFEST));
  /** @type {Map<string, string>} */
  const created = new Map();
  const add = (/** @type {string} */ path, /** @type {string} */ text) =>
    created.set(posix.join(sources, path), withLineEnds(text, model));
  // The default type argument of `DurableObject` is the type of the bindings, whatever its name.
  const counter = readText(join(template, 'src/counter.ts')) ?? '';
  add(`${names.module}.ts`, renamed(counter.replace('DurableObject<Env>', 'DurableObject'), names));
  for (const { source, path } of runtime) add(path.replace(/^src\//, ''), readText(source) ?? '');
  return created;
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
 * @param {boolean} hasOptions
 * @param {string} main
 */
function notesOn({ env, compatibility_date: date }, { className, binding }, hasOptions, main) {
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
  if (!hasOptions) {
    notes.push(
      `No tsconfig.json that includes ${main} was found: set "allowImportingTsExtensions" in yours.`,
    );
  }
  return notes;
}
