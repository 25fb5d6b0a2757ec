/**
 * Plans what `--add http` adds: the route in the main file, and a test of the counter, if the project has a counter.
 */
import { conflict } from '../console/failure.mjs';
import { withHttp } from './entry/http.mjs';
import { reachedClasses } from './reached-classes.mjs';

const COUNTERS = new Set(['Counter', 'RpcCounter']);

/**
 * @param {string} text - the text of the main file
 * @param {string} main - the path of the main file
 * @param {any} configuration - the configuration, with the bindings of the examples that are added
 * @param {(path: string) => string} textAt - returns the text of a file of the project, or of a file that is added
 * @param {import('../context.mjs').Context['create']} create
 * @returns {ReturnType<typeof withHttp> & { names?: import('./names.mjs').Names }} `names` has the counter's names
 */
export function planHttp(text, main, configuration, textAt, create) {
  if (/\brouteHttpRequest\b/.test(text)) {
    throw conflict(
      `${main} has plain HTTP already.`,
      'To reach another class by plain HTTP, add the class to "classes" in the options of routeHttpRequest.',
    );
  }
  const reached = reachedClasses(text, main, configuration, textAt);
  if (reached.length === 0) {
    throw conflict(
      `${main} exports no class with a contract from a module of its own, so there is nothing to call.`,
      `To add the counter, too: ${create('--add', 'counter,http')}`,
    );
  }
  const counter = reached.find((one) => COUNTERS.has(one.class) && one.hasIncrement);
  return {
    ...withHttp(text, reached, configuration.name ?? 'Worker', main.endsWith('x')),
    ...(counter && {
      names: {
        objects: [],
        renamed: (/** @type {string} */ one) => one.replaceAll('COUNTER', counter.binding),
        renamedFile: (/** @type {string} */ file) => file,
      },
    }),
  };
}
