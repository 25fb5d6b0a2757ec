/**
 * How a wrangler configuration declares the classes of its Durable Objects: by the table `exports` or by the list
 * `migrations`. wrangler refuses a Worker that has both. Environments inherit either, unless they have their own.
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
  // The environments inherit what is written at the top, so it has to go with what they declare.
  const others = environmentsOf(value).flatMap(([name, table]) => {
    const form = usedIn(table);
    return form ? [{ name, form }] : [];
  });
  const [first] = others;
  const other = first && others.find(({ form }) => form !== first.form);
  if (other) {
    throw conflict(
      `In ${file}, the environment ${first.name} declares classes by ${first.form}, and ${other.name} by ${other.form}.`,
      'Declare them in one form, because the environments inherit what is added to the top.',
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
 * @param {string[]} [path] - of the table
 * @returns {Addition[]} what declares the classes, with storage in SQLite
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
 * @param {Form} form - in which the classes are declared at the top
 * @param {any} configuration
 * @param {string[]} classes
 * @returns {{ name: string, form: Form, additions: Addition[] }[]} for each environment that does not inherit the
 *   declarations, because it has its own: its name, its form, and what declares the classes there
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
 * A tag for a new migration: like the last one, with the next free number.
 *
 * @param {unknown} migrations - of a configuration
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
