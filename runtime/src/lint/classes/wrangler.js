/** Reads the Durable Object classes in the Wrangler configurations of a file's project. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** In the order in which wrangler looks for them. */
const NAMES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];
/**
 * Matches strings, which are kept, and comments, which are removed: `//` and `/* *\/` of JSONC, `#` of TOML.
 */
const COMMENT = /("(?:\\.|[^"\\])*"|'[^'\n]*')|\/\/.*|\/\*[^]*?\*\/|#.*/g;
const KEY_VALUE_CLASSES = /\bnew_classes["']?\s*[:=]\s*\[([^\]]*)\]/g;
/** Also the new name of a class that is renamed, or transferred from another Worker. */
const MIGRATED_CLASSES =
  /\bnew_(?:sqlite_)?classes["']?\s*[:=]\s*\[([^\]]*)\]|\bto["']?\s*[:=]\s*["'](\w+)/g;
/** The tables of JSONC and TOML, of which a binding is one. */
const TABLE = /[{}]|^\s*\[+[\w.]+\]+/m;
const CLASS_NAME = /\bclass_name["']?\s*[:=]\s*["'](\w+)/;
/** What a configuration with Durable Object classes has. */
const LISTING = /\b(class_name|new_(sqlite_)?classes|renamed_classes)\b/;
/** A configuration without any may bind classes that an older command created. */
const MIGRATIONS = /\bmigrations["']?\s*[:=]|^\s*\[\[migrations\]\]/m;
/** Declares classes in the place of migrations. */
const EXPORTS = /\bexports["']?\s*[:=]|^\s*\[exports\b/m;

/**
 * The nearest configuration above a file, and the one of the tests beside it. They are read again for each file,
 * because an editor goes on using this module after a configuration has changed.
 */
export function configsOf(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const own = readConfig(folder);
    if (own) return [own, readConfig(join(folder, 'test'))].filter(Boolean);
    if (dirname(folder) === folder) return [];
  }
}

function readConfig(folder) {
  const name = NAMES.find((candidate) => existsSync(join(folder, candidate)));
  if (!name) return undefined;
  const text = readFileSync(join(folder, name), 'utf8').replace(COMMENT, '$1');
  const tables = EXPORTS.test(text) || !MIGRATIONS.test(text) ? [] : text.split(TABLE);
  return {
    name: basename(folder) === 'test' ? `test/${name}` : name,
    text,
    keyValue: classesIn(text, KEY_VALUE_CLASSES),
    migrated: classesIn(text, MIGRATED_CLASSES),
    // A class of another Worker has its migration there.
    bound: tables.flatMap((table) => !/\bscript_name\b/.test(table) && CLASS_NAME.exec(table)?.[1]),
  };
}

function classesIn(text, lists) {
  return [...text.matchAll(lists)].flatMap(([, list, name]) => name ?? list.match(/\w+/g) ?? []);
}

/**
 * The class and the configuration file that gives it the old storage without SQLite; undefined if there is none.
 *
 * @param names the names by which the Worker may export the class
 */
export function keyValueClass(names, configs) {
  return classWhere(names, configs, (name, { keyValue }) => keyValue.includes(name));
}

/** The class and the configuration file that binds it but migrates only others; undefined if there is none. */
export function unmigratedClass(names, configs) {
  return classWhere(
    names,
    configs,
    (name, { bound, migrated }) => bound.includes(name) && !migrated.includes(name),
  );
}

/**
 * Whether a class may have either storage: the configurations have other classes, of which some have no
 * SQLite.
 *
 * @param names the names by which the Worker may export the class
 */
export function hasUnknownStorage(names, configs) {
  const listing = configs.filter(({ text }) => LISTING.test(text));
  const isShown = ({ keyValue, text }) =>
    (keyValue.length === 0 && /\bnew_sqlite_classes\b/.test(text)) ||
    (text.match(/\w+/g) ?? []).some((word) => names.includes(word));
  return listing.length > 0 && !listing.some(isShown);
}

function classWhere(names, configs, isWanted) {
  for (const config of configs)
    for (const name of names) if (isWanted(name, config)) return { name, config: config.name };
}
