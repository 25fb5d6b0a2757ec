/** Reads the Durable Object classes in the Wrangler configuration of a file's project. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAMES = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];
/**
 * Matches strings, which are kept, and comments, which are removed: `//` and `/* *\/` of JSONC, `#` of TOML.
 */
const COMMENT = /("(?:\\.|[^"\\])*"|'[^'\n]*')|\/\/.*|\/\*[^]*?\*\/|#.*/g;
const KEY_VALUE_CLASSES = /\bnew_classes["']?\s*[:=]\s*\[([^\]]*)\]/g;

const found = new Map();

/** The nearest configuration above a file, and the classes that it lists in `new_classes`. */
function configAbove(folder) {
  if (!found.has(folder)) found.set(folder, readConfig(folder));
  return found.get(folder);
}

function readConfig(folder) {
  const name = NAMES.find((candidate) => existsSync(join(folder, candidate)));
  if (!name) return dirname(folder) === folder ? { classes: [] } : configAbove(dirname(folder));
  const text = readFileSync(join(folder, name), 'utf8').replace(COMMENT, '$1');
  const lists = [...text.matchAll(KEY_VALUE_CLASSES)].map(([, list]) => list);
  return { name, classes: lists.flatMap((list) => list.match(/\w+/g) ?? []) };
}

/** The configuration file that gives a class the old storage without SQLite; undefined if there is none. */
export function configWithoutSqlite(className, file) {
  const { name, classes } = configAbove(dirname(file));
  return classes.includes(className) ? name : undefined;
}
