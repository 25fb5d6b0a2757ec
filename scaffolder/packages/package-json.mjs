/** Changes and writes the text of a package.json. */

/** Fields that package managers keep in alphabetical order. */
const SORTED = ['dependencies', 'devDependencies'];

/**
 * @param {string} text
 * @param {Record<string, any>} patch - a patch by RFC 7396, in which `null` removes a property
 * @returns {string} formatted as npm does
 */
export function merged(text, patch) {
  const manifest = mergedObject(JSON.parse(text), patch);
  for (const name of SORTED) manifest[name] = sorted(manifest[name]);
  return formatted(manifest);
}

/**
 * @param {object} manifest
 * @returns {string} formatted as npm does
 */
export function formatted(manifest) {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/**
 * @param {Record<string, any>} object
 * @param {Record<string, any>} patch
 */
function mergedObject(object, patch) {
  const result = { ...object };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = typeof value === 'object' ? mergedObject(result[name] ?? {}, value) : value;
  }
  return result;
}

/**
 * @template T
 * @param {Record<string, T>} record
 * @returns {Record<string, T>}
 */
export function sorted(record) {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
