/**
 * Finds out how a wrangler configuration declares the classes of its Durable Objects, and makes new declarations. The
 * form is the table `exports` or the list `migrations`. wrangler refuses a Worker with both. Environments inherit the
 * declarations, unless they have their own.
 */
import { conflict } from '../console/failure.mjs';

/** @typedef {'exports' | 'migrations'} Form */
/** @typedef {import('./configuration.mjs').Addition} Addition */

/**
 * @param {import('./configuration.mjs').Configuration} configuration
 * @param {boolean} knowsExports - whether the project's tools know `exports`
 * @returns {Form} the form in which the configuration declares its classes, or else the form for a new Worker
 */
export function formOf({ file, value }, knowsExports) {
  const own = usedIn(value);
  if (own) return own;
  // The environments inherit the declarations at the top level, so these need the form that the environments use.
  const others = environmentsOf(value).flatMap(([name, table]) => {
    const form = usedIn(table);
    return form ? [{ name, form }] : [];
  });
  const [first] = others;
  const other = first && others.find(({ form }) => form !== first.form);
  if (other) {
    throw conflict(
      `In ${file}, the environment ${first.name} declares classes in "${first.form}", and the environment ${other.name} in "${other.form}".`,
      'Use one of the two everywhere, because environments inherit the declarations that --add writes at the top level.',
    );
  }
  if (first) return first.form;
  if (Array.isArray(value.migrations)) return 'migrations';
  return knowsExports ? 'exports' : 'migrations';
}

/**
 * @param {Form} form
 * @param {any} table - a configuration, or an environment of it
 * @param {string[]} classes
 * @param {string[]} [path] - the path of the table
 * @returns {Addition[]} additions that declare the classes, with storage in SQLite
 */
export function declarationsOf(form, table, classes, path = []) {
  if (form === 'migrations') {
    const item = { tag: freeTag(table.migrations), new_sqlite_classes: classes };
    return [{ list: [...path, 'migrations'], item }];
  }
  return classes.map((name) => ({
    property: [...path, 'exports', name],
    value: { type: 'durable-object', storage: 'sqlite' },
  }));
}

/**
 * @param {Form} form - the form in which the classes are declared at the top level
 * @param {any} configuration
 * @param {string[]} classes
 * @returns {{ name: string, form: Form, additions: Addition[] }[]} for each environment that has its own declarations,
 *   and so does not inherit: its name, its form, and additions that declare the classes there
 */
export function environmentsWithOwn(form, configuration, classes) {
  return environmentsOf(configuration).flatMap(([name, table]) => {
    const own = usedIn(table) ?? (table[form] === undefined ? undefined : form);
    if (!own) return [];
    return [{ name, form: own, additions: declarationsOf(own, table, classes, ['env', name]) }];
  });
}

/**
 * @param {any} table
 * @returns {Form | undefined} undefined if the table declares no classes
 */
function usedIn({ exports, migrations }) {
  // `exports` may also describe entry points and workflows, beside `migrations`.
  if (isTable(exports) && Object.values(exports).some((one) => one?.type === 'durable-object'))
    return 'exports';
  return Array.isArray(migrations) && migrations.length > 0 ? 'migrations' : undefined;
}

/**
 * @param {any} configuration
 * @returns {[name: string, table: any][]}
 */
export function environmentsOf({ env }) {
  return isTable(env) ? Object.entries(env).filter(([, table]) => isTable(table)) : [];
}

/** @param {unknown} value */
function isTable(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Makes a tag for a new migration: the last tag, with the next free number.
 *
 * @param {unknown} migrations - the migrations of a configuration
 * @returns {string}
 */
export function freeTag(migrations) {
  const tags = Array.isArray(migrations)
    ? migrations.map((migration) => String(migration?.tag))
    : [];
  const [, before = '', digits = ''] = /^(.*?)(\d+)$/.exec(tags.at(-1) ?? 'v0') ?? [];
  const [start, number] = digits ? [before, Number(digits)] : ['lumenize-rpc-', 0];
  for (let next = number + 1; ; next++) {
    const tag = start + String(next).padStart(digits.length, '0');
    if (!tags.includes(tag)) return tag;
  }
}
