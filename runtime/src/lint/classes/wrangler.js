/**
 * Reads the Durable Object classes in the Wrangler configurations of a file's project. A configuration declares its
 * classes by `exports` or by `migrations`, at the top and in environments, which inherit both and no bindings.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { valueOfToml } from './toml.js';

/** The names of configurations, in the order in which wrangler looks for them. */
const NAMES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];
/**
 * Matches the parts of JSONC that JSON does not have: comments, and commas before a bracket. It also matches strings,
 * which are kept.
 */
const COMMENT = /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g;
const LAST_COMMA = /("(?:\\.|[^"\\])*")|,(?=\s*[\]}])/g;
/** The states in which `exports` has a class that can be called. */
const LIVE = new Set([undefined, 'created', 'expecting-transfer']);

/**
 * Returns the nearest configuration above a file, and the configuration of the tests beside it. Both are read again for
 * each file, because an editor goes on using this module after a configuration has changed.
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
  const text = readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '');
  return {
    name: basename(folder) === 'test' ? `test/${name}` : name,
    text,
    scopes: scopesOf(parsed(name, text)),
  };
}

/**
 * Returns the content of a configuration. A configuration that cannot be read counts as missing, because wrangler
 * reports its problem.
 */
function parsed(name, text) {
  try {
    if (name.endsWith('.toml')) return valueOfToml(text);
    return tableOf(JSON.parse(text.replace(COMMENT, '$1').replace(LAST_COMMA, '$1')));
  } catch {
    return {};
  }
}

/** Returns the classes at the top of a configuration, and the classes of each environment. */
function scopesOf(top) {
  const environments = Object.entries(tableOf(top.env)).map(([name, value]) => {
    const own = tableOf(value);
    const { migrations = top.migrations, exports = top.exports } = own;
    return classesOf({ durable_objects: own.durable_objects, exports, migrations }, name);
  });
  return [classesOf(top), ...environments];
}

/**
 * `storage` maps each declared class to whether it uses SQLite; undefined if that is not known. `form` is the name of
 * the field that declares the classes. It is undefined in a configuration that may bind classes which an older command
 * created.
 */
function classesOf({ durable_objects: objects, exports, migrations }, environment) {
  // A class of another Worker is declared in the configuration of that Worker.
  const bound = listOf(tableOf(objects).bindings)
    .filter(({ script_name: worker }) => worker === undefined)
    .map(({ class_name: name }) => name);
  const exported = Object.entries(tableOf(exports)).filter(
    ([, declared]) => tableOf(declared).type === 'durable-object',
  );
  if (exported.length > 0) {
    const live = exported.filter(([, { state }]) => LIVE.has(state));
    const storage = live.map(([name, declared]) => [name, declared.storage !== 'legacy-kv']);
    return { environment, bound, form: 'exports', storage: new Map(storage) };
  }
  const form = Array.isArray(migrations) ? 'migrations' : undefined;
  return { environment, bound, form, storage: afterMigrations(listOf(migrations)) };
}

function afterMigrations(migrations) {
  const storage = new Map();
  for (const migration of migrations) {
    for (const name of namesIn(migration.deleted_classes)) storage.delete(name);
    for (const { from, to } of listOf(migration.renamed_classes)) {
      storage.set(to, storage.get(from));
      storage.delete(from);
    }
    for (const { to } of listOf(migration.transferred_classes)) storage.set(to, undefined);
    for (const name of namesIn(migration.new_classes)) storage.set(name, false);
    for (const name of namesIn(migration.new_sqlite_classes)) storage.set(name, true);
  }
  return storage;
}

/** Returns the tables in a list. */
function listOf(value) {
  return Array.isArray(value) ? value.map(tableOf) : [];
}

function namesIn(value) {
  return Array.isArray(value) ? value : [];
}

function tableOf(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/**
 * Returns the class whose storage has no SQLite, with the configuration that says so; undefined if there is none.
 *
 * @param names the names by which the Worker may export the class
 */
export function keyValueClass(names, configs) {
  return classWhere(names, configs, (name, { storage }) => storage.get(name) === false);
}

/** Returns the class that a configuration binds but does not declare among others; undefined if there is none. */
export function undeclaredClass(names, configs) {
  return classWhere(
    names,
    configs,
    (name, { bound, form, storage }) => form && bound.includes(name) && !storage.has(name),
  );
}

/**
 * Returns whether a class may have either storage: the configurations have other classes, of which some have no SQLite.
 *
 * @param names the names by which the Worker may export the class
 */
export function hasUnknownStorage(names, configs) {
  const listing = configs.filter(({ scopes }) =>
    scopes.some(({ bound, storage }) => bound.length > 0 || storage.size > 0),
  );
  const isShown = ({ scopes, text }) => {
    const storages = new Set(scopes.flatMap(({ storage }) => [...storage.values()]));
    const isInSqlite = storages.has(true) && !storages.has(false);
    return isInSqlite || (text.match(/\w+/g) ?? []).some((word) => names.includes(word));
  };
  return listing.length > 0 && !listing.some(isShown);
}

function classWhere(names, configs, isWanted) {
  for (const { name: config, scopes } of configs)
    for (const scope of scopes)
      for (const name of names)
        if (isWanted(name, scope)) {
          const { bound, environment, form, storage } = scope;
          const place = environment && ` in the environment ${environment}`;
          const unbound = [...storage.keys()].filter((one) => !bound.includes(one));
          return { name, config, form, place, unbound };
        }
}
