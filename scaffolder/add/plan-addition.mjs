/**
 * Plans the changes that add examples to a project, and writes nothing. It is the step of `--add`, and `--example` uses
 * it, too. It refuses a project in which a file is missing, in the way, or cannot be read.
 */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { EXAMPLES, HTTP } from '../examples.mjs';
import { ownFolder } from '../own-package.mjs';
import { chooseLibrary } from '../schemas/choose-library.mjs';
import { translated } from '../schemas/translations.mjs';
import { withCommandsOf } from '../steps/personalise.mjs';
import { isIgnoredFolder, templateFiles } from '../templates/template-files.mjs';
import { declarationsOf, environmentsOf, environmentsWithOwn, formOf } from './classes.mjs';
import { extended, shown as shownAddition } from './configuration.mjs';
import { withEntry } from './entry/entry.mjs';
import { withHook } from './entry/hooks.mjs';
import { importExtension } from './entry/import-extension.mjs';
import { filesFor, placeIn } from './example-files.mjs';
import { firstUse } from './first-use.mjs';
import { chooseNames } from './names.mjs';
import { knowsExports, packageManagerIn, withPackages } from './packages.mjs';
import { MAIN_OF_PAGE, withComponent } from './page-components.mjs';
import { planHttp } from './plain-http.mjs';
import {
  adviceOnMore,
  existingFolder,
  findProject,
  refuseOtherPackage,
  runtimeOf,
  VENDORED,
} from './project.mjs';
import { readText, withLineEnds } from './text/file-text.mjs';
import { compilerOptionsOf, withBindingTypes } from './tsconfig.mjs';

/** The oldest compatibility date with which the package is tested. Before it, not all values can be sent. */
const OLDEST = '2024-09-26';
/** `connect` of lumenize-rpc/testing calls the Worker under test, which needs this compatibility date or this flag. */
const OWN_EXPORTS = { date: '2025-11-17', flag: 'enable_ctx_exports' };

/** The `.gitignore` of the vendored package. Most projects ignore every folder `dist`. */
const EVERYTHING_TO_GIT = `# This folder belongs to the project until the package comes from a registry.
!*
`;

/** @typedef {import('../context.mjs').Context} Context */
/** @typedef {import('../examples.mjs').DurableObject} DurableObject */

/**
 * @typedef {object} Addition
 * @property {Map<string, string>} created - texts by path; the files of the package come first
 * @property {Map<string, { before: string, after: string }>} changed - texts by path
 * @property {string[]} notes - texts for the user
 * @property {string[]} examples - the names of the examples
 * @property {DurableObject[]} objects
 * @property {string} main - the Worker's main file
 * @property {string} [byHand] - lines that the user has to insert into the main file
 * @property {string} [reason] - the reason why the user has to insert them
 * @property {boolean} needsInstallation - whether package.json gets more packages
 * @property {string} schemas - the library with which the schemas are written
 * @property {string} [typesScript] - the script that generates the types of the bindings
 * @property {string} [devScript] - the script that starts the Worker on this machine
 * @property {string[]} firstUse - lines for the user, with a first call or a component
 */

/**
 * @param {Pick<Context, 'cwd' | 'create' | 'packageManager' | 'add' | 'schemas'> & { directory?: string, pm?: string }} context
 * @returns {Partial<Context>}
 */
export default function planAddition(context) {
  const { add = [], pm } = context;
  const target = existingFolder(context);
  const packageManager = pm
    ? context.packageManager
    : packageManagerIn(target, context.packageManager);
  return { target, packageManager, addition: plan(target, add, { ...context, packageManager }) };
}

/**
 * @param {string} target
 * @param {string[]} examples - the names of the examples
 * @param {Pick<Context, 'cwd' | 'create' | 'packageManager' | 'schemas'>} context
 * @returns {Addition}
 */
export function plan(target, examples, context) {
  const found = findProject(target, context);
  const { configuration, main, entry } = found;
  const { file, text, value } = configuration;
  refuseOldDate(file, value);
  const version = runtimeOf(target);
  const hasPackage = version !== undefined;
  if (!hasPackage) refuseOtherPackage(target);

  const textAt = (/** @type {string} */ path) => readText(join(target, path)) ?? '';
  const extension = importExtension(target, main, entry);
  const place = placeIn(target, main, extension);
  const form = formOf(configuration, knowsExports(target, textAt('package.json')));
  const advice = hasPackage ? adviceOnMore(version, found, form, context) : undefined;
  const added = examples.flatMap((name) => {
    const example = EXAMPLES[name];
    if (!example || name === HTTP) return [];
    const names = chooseNames(example, join(target, place.sources), entry, value, advice);
    return [{ example, names }];
  });
  const objects = added.flatMap(({ names }) => names.objects);
  const placed =
    objects.length > 0
      ? withEntry(entry, { objects, extension, hasPackage }, main.endsWith('x'))
      : { text: entry };
  const hooks = added.flatMap(({ example }) => example.hook ?? []);
  /** @type {ReturnType<typeof withHook>} */
  const hooked = { text: placed.text };
  for (const hook of hooks)
    Object.assign(hooked, withHook(hooked.text, hook, extension, main.endsWith('x')));
  const buckets = added.flatMap(({ example }) => example.buckets ?? []);
  const scripts = place.isOurs ? added.map(({ example }) => example.scripts) : [];
  const library = chooseLibrary(target, textAt('package.json'), context.schemas);
  const packages = withPackages(
    textAt('package.json'),
    hasPackage ? undefined : ownPackages(),
    library.name,
    Object.assign({}, ...scripts),
  );
  const { checkers, devScript, hasNew, outdated, typesFile, typesScript } = packages;
  const tests = testsOf(packages, value, compilerOptionsOf(target, main));
  const created = new Map(hasPackage ? [] : packageFiles());
  const sourceAt = (/** @type {string} */ path) => created.get(path) ?? textAt(path);
  const addFiles = (/** @type {typeof added[number]} */ { example, names }) => {
    for (const [path, own] of filesFor(example, names, place, tests.areRun))
      created.set(path, withLineEnds(translated(own, library), entry));
  };
  added.forEach(addFiles);
  const http = examples.includes(HTTP)
    ? planHttp(hooked.text, main, withObjects(value, objects), sourceAt, context.create)
    : undefined;
  if (http?.names && EXAMPLES[HTTP]) {
    added.push({ example: EXAMPLES[HTTP], names: http.names });
    added.slice(-1).forEach(addFiles);
  }
  let page = place.hasUi ? textAt(MAIN_OF_PAGE) : '';
  const shown = added.filter(({ example }) => {
    const after = withComponent(page, example);
    page = after ?? page;
    return after !== undefined;
  });
  const changed = new Map(
    [
      /** @type {const} */ ([
        file,
        extended(file, text, additionsTo(form, value, objects, buckets)),
      ]),
      /** @type {const} */ (['package.json', packages.text]),
      ...(typesFile ? withBindingTypes(target, main, typesFile) : []),
      /** @type {const} */ ([main, (http ?? hooked).text]),
      ...(shown.length > 0 ? [/** @type {const} */ ([MAIN_OF_PAGE, page])] : []),
    ]
      .map(([path, after]) => /** @type {const} */ ([path, { before: textAt(path), after }]))
      .filter(([, { before, after }]) => before !== after),
  );
  refuseObstacles(target, [...changed.keys()], [...created.keys()]);
  const byHand = [placed.byHand, hooked.byHand, http?.byHand].filter(Boolean).join('\n\n');
  const reason = placed.reason ?? hooked.reason ?? http?.reason;
  const hasVendored = created.has(`${VENDORED}package.json`);
  return {
    created,
    changed,
    notes: [
      ...(hasPackage ? [] : [noteOnChecks(placed.isHono)]),
      ...library.notes,
      ...outdated.map((one) => `${one} is too old for the runtime: update it.`),
      ...tests.notes,
      ...notesOn(form, configuration, objects, buckets),
      ...(hasVendored ? notesOnPackage(target, checkers) : []),
      ...examples.flatMap((name) => {
        const isShown = shown.some(({ example }) => example.name === name);
        return notesOnExample(name, place, isShown, context);
      }),
      ...notesOnHttp(entry, main, objects),
    ],
    examples,
    objects,
    main,
    needsInstallation: hasNew,
    schemas: library.name,
    firstUse: firstUse(target, added, place, packages, context.packageManager),
    ...(byHand && reason && { byHand, reason }),
    ...(typesScript && { typesScript }),
    ...(devScript && { devScript }),
  };
}

/**
 * @param {Pick<Addition, 'changed' | 'created'>} addition
 * @returns {Map<string, string>} the texts to write, by path
 */
export function textsOf({ changed, created }) {
  const after = Array.from(changed, ([path, texts]) => /** @type {const} */ ([path, texts.after]));
  return new Map([...after, ...created]);
}

/** @returns {import('../context.mjs').Manifest} the template's package.json */
function ownPackages() {
  return JSON.parse(readText(join(ownFolder('template'), 'package.json')) ?? '');
}

/**
 * @param {import('./classes.mjs').Form} form
 * @param {any} configuration
 * @param {DurableObject[]} objects
 * @param {import('../examples.mjs').Bucket[]} buckets
 * @returns {import('./configuration.mjs').Addition[]}
 */
function additionsTo(form, configuration, objects, buckets) {
  if (objects.length === 0) return [];
  const classes = objects.map(({ class: name }) => name);
  return [
    ...objects.map(({ binding, class: name }) => ({
      list: ['durable_objects', 'bindings'],
      item: { name: binding, class_name: name },
    })),
    ...declarationsOf(form, configuration, classes),
    ...buckets.map(({ binding, name }) => ({
      list: ['r2_buckets'],
      item: { binding, bucket_name: name },
    })),
  ];
}

/**
 * @param {string} file - the name of the configuration
 * @param {any} configuration
 * @throws a conflict if the Worker has an older date than the package is tested with
 */
function refuseOldDate(file, { compatibility_date: date }) {
  if (!date || String(date) >= OLDEST) return;
  throw conflict(
    `${file} has the compatibility date ${date}, and lumenize-rpc needs ${OLDEST} or later.`,
    'Set a later date, test your Worker, and try again.',
  );
}

/**
 * @param {any} configuration
 * @returns {boolean} whether the configuration has an older date than `OWN_EXPORTS`, and not the flag
 */
function lacksOwnExports(configuration) {
  const { compatibility_date: own = '', compatibility_flags: flags = [] } = configuration;
  return own && String(own) < OWN_EXPORTS.date && !flags.includes(OWN_EXPORTS.flag);
}

/** @returns {[path: string, text: string][]} the package, with a `.gitignore` by which git includes all its files */
function packageFiles() {
  const files = templateFiles(ownFolder('template')).filter(({ path }) =>
    path.startsWith(VENDORED),
  );
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
 * @param {ReturnType<typeof withPackages>} packages
 * @param {any} configuration
 * @param {Record<string, unknown>} options - the options of the compiler
 * @returns {{ areRun: boolean, notes: string[] }} whether the project can run the tests of the examples
 */
function testsOf({ testPlugin, outdated }, configuration, { strict }) {
  if (!testPlugin || outdated.length > 0) return { areRun: false, notes: [] };
  const { date, flag } = OWN_EXPORTS;
  const problems = [
    testPlugin.isOld &&
      `this version of ${testPlugin.name} cannot run it. Update to @cloudflare/vitest-plugin.`,
    lacksOwnExports(configuration) &&
      `it needs a compatibility date of ${date} or later, or the flag "${flag}".`,
    // The types of `cloudflare:test` are wrong then.
    strict === false && 'its types need "strict" in tsconfig.json.',
  ].filter(Boolean);
  return {
    areRun: problems.length === 0,
    notes: problems.map((one) => `No test is added: ${one}`),
  };
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
    notes.push(
      `Tell ${checkers.join(' and ')} to leave out ${VENDORED}, because it is a built package.`,
    );
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

/**
 * @param {any} configuration
 * @param {DurableObject[]} objects
 * @returns {any} the configuration with the bindings of the objects that clients can reach
 */
function withObjects(configuration, objects) {
  const { bindings = [] } = configuration.durable_objects ?? {};
  const more = objects
    .filter(({ internal }) => !internal)
    .map(({ binding, class: name }) => ({ name: binding, class_name: name }));
  return { ...configuration, durable_objects: { bindings: [...bindings, ...more] } };
}

/**
 * @param {string} entry
 * @param {string} main
 * @param {DurableObject[]} objects
 */
function notesOnHttp(entry, main, objects) {
  const reached = objects.filter(({ internal }) => !internal);
  if (reached.length === 0 || !/\brouteHttpRequest\b/.test(entry)) return [];
  const classes = reached.map(({ binding, class: name }) => `${binding}: ${name}`);
  return [
    `To call it by plain HTTP, too, add ${classes.join(', ')} to "classes" of routeHttpRequest in ${main}.`,
  ];
}

/**
 * @param {import('./classes.mjs').Form} form - the form in which the classes are declared at the top level
 * @param {import('./configuration.mjs').Configuration} configuration
 * @param {DurableObject[]} objects
 * @param {import('../examples.mjs').Bucket[]} buckets
 */
function notesOn(form, { file, value }, objects, buckets) {
  if (objects.length === 0) return [];
  const environments = environmentsOf(value).map(([name]) => name);
  const notes = [];
  if (environments.length > 0) {
    const bindings = [
      ...objects.map(({ binding, class: name }) => `${binding} (class ${name})`),
      ...buckets.map(({ binding, name }) => `${binding} (R2 bucket ${name})`),
    ];
    notes.push(
      `Environments do not inherit bindings. Add ${bindings.join(', ')} to the environments that need it: ` +
        `${environments.join(', ')}.`,
    );
  }
  const classes = objects.map(({ class: name }) => name);
  for (const { name, form: own, additions } of environmentsWithOwn(form, value, classes)) {
    const lines = additions.map((addition) => `\n${shownAddition(file, addition)}`);
    notes.push(
      `The environment ${name} has its own "${own}", so it does not inherit the new classes. ` +
        `If it needs the binding, add:${lines.join('')}`,
    );
  }
  return notes;
}

/**
 * @param {string} name - the name of an example
 * @param {import('./example-files.mjs').Place} place
 * @param {boolean} isShown - whether the page shows its component
 * @param {Pick<Context, 'packageManager'>} context
 * @returns {string[]}
 */
function notesOnExample(name, place, isShown, { packageManager }) {
  const example = EXAMPLES[name];
  if (!example) return [];
  const { component, notes = [], objects, page, scripts = {}, ui } = example;
  const shown = `import { ${component} } from './${objects[0]?.module}.tsx', and write <${component} />`;
  return [
    ...(page && place.hasPage ? [`The page of ${name} is http://localhost:8787${page}.`] : []),
    ...(ui && !place.hasUi
      ? [
          `The page of ${name} is in React, and only projects that were created with --ui ${ui} get it.`,
        ]
      : []),
    ...(component && place.hasUi && !isShown
      ? [`To show ${name}, in ${MAIN_OF_PAGE}: ${shown}.`]
      : []),
    ...(place.isOurs ? Object.keys(scripts) : []).map(
      (script) => `With the Worker running, try ${name}: ${packageManager.run(script)}`,
    ),
    ...notes.map((note) => withCommandsOf(packageManager, note)),
  ];
}
