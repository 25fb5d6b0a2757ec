/** Commands that add the template's missing packages to a package.json that was kept. */

/** @typedef {import('../context.mjs').Manifest} Manifest */

/**
 * @param {Manifest} wanted
 * @param {string} present - the text of the package.json that was kept
 * @param {import('./package-managers.mjs').PackageManager} packageManager
 * @returns {string[]}
 */
export function commandsToAddMissing(wanted, present, { add }) {
  const there = packagesOf(present);
  const lacking = (/** @type {Record<string, string>} */ packages = {}) =>
    Object.entries(packages)
      .filter(([name]) => !there.has(name))
      .map(([name, version]) => `${name}@${version}`);
  return [
    [add, ...lacking(wanted.dependencies)],
    [`${add} -D`, ...lacking(wanted.devDependencies)],
  ]
    .filter(({ length }) => length > 1)
    .map((words) => words.join(' '));
}

/** @param {string} text */
function packagesOf(text) {
  try {
    const { dependencies, devDependencies } = JSON.parse(text);
    return new Set(Object.keys({ ...dependencies, ...devDependencies }));
  } catch {
    // In a package.json that is not valid JSON, all packages are missing.
    return new Set();
  }
}
