/**
 * Runs tests of the runtime on the built package. A module of `runtime/src/` that a test, or a Worker under test,
 * imports has the package's public functions and classes, and the internal functions of the sources. Plugins for Vite
 * and for esbuild.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../runtime/src/', import.meta.url));
const BUILT = fileURLToPath(new URL('../../template/vendor/lumenize-rpc/dist/', import.meta.url));

/** A program with this variable uses the built package. */
export const TESTED_RUNTIME = 'TESTED_RUNTIME';
export const IS_BUILT = 'built';

/** The doors that export the public functions of a folder of the sources. */
const DOORS = { client: 'client', server: 'server', testing: 'testing', wire: 'client' };

/** The half of a feature that the door `client` has. */
const CLIENT_HALF = /^features\/[\w-]+\/client\//;

const EXPORTED = /^export (?:async )?(?:function\*?|class|const) (\w+)/gm;
const LIST = /^export \{ (.*) \};$/m;
/** The exports of a door of the sources. */
const PASSED = /^export \{([^}]*)\}/gm;

/**
 * @param {string} file - the path of a source of the runtime
 * @returns {string | undefined} a module with the exports of the source; undefined if none of them is public
 */
function builtModule(file) {
  const path = file.slice(SOURCES.length).replaceAll(sep, '/');
  const door = doorOf(path);
  const built = join(BUILT, `${door}.js`);
  if (!existsSync(built)) return undefined;
  const source = readFileSync(file, 'utf8');
  const own = Array.from(source.matchAll(EXPORTED), ([, name]) => name);
  const passed = Array.from(source.matchAll(PASSED), ([, names = '']) => names.split(','));
  const all = new Set([...own, ...passed.flat().map((name) => name.trim())]);
  const list = LIST.exec(readFileSync(built, 'utf8'))?.[1]?.split(', ') ?? [];
  const names = list.filter((name) => all.has(name));
  if (names.length === 0) return undefined;
  // If two exports have one name, the listed export counts.
  return `export * from ${JSON.stringify(file)};
export { ${names.join(', ')} } from ${JSON.stringify(built)};
`;
}

/**
 * @param {string} path - the path of a source, relative to the folder of the runtime's sources
 * @returns {string} the door that has the public exports of the source
 */
function doorOf(path) {
  const [place = '', inside] = path.replace(/\.ts$/, '').split('/');
  if (!inside) return place;
  if (place !== 'features') return DOORS[/** @type {keyof typeof DOORS} */ (place)];
  if (inside === 'debug') return 'debug';
  return CLIENT_HALF.test(path) ? 'client' : 'server';
}

/**
 * @param {string} path - the path of an import
 * @param {string} folder - the folder of the module that imports
 * @returns {string | undefined} the source that the import names, unless the importing module is a source itself
 */
function sourceOf(path, folder) {
  if (!path.startsWith('.') || `${folder}${sep}`.startsWith(SOURCES)) return undefined;
  const file = resolve(folder, path);
  return file.startsWith(SOURCES) && existsSync(file) ? file : undefined;
}

const MARK = '\0built:';

/** @returns {import('vite').Plugin} */
export function builtForVite() {
  return {
    name: 'built runtime',
    enforce: 'pre',
    resolveId(path, importer = '') {
      const source = sourceOf(path, resolve(importer, '..'));
      return source && builtModule(source) && MARK + source;
    },
    load: (id) => (id.startsWith(MARK) ? builtModule(id.slice(MARK.length)) : undefined),
  };
}

/** @returns {import('esbuild').Plugin} */
export function builtForEsbuild() {
  return {
    name: 'built runtime',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace }) => {
        const source = namespace === 'file' ? sourceOf(path, resolveDir) : undefined;
        return source && builtModule(source) ? { path: source, namespace: 'built' } : undefined;
      });
      onLoad({ filter: /./, namespace: 'built' }, ({ path }) => ({
        contents: builtModule(path) ?? '',
        resolveDir: SOURCES,
      }));
    },
  };
}
