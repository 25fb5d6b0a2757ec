/** Shows the first use of an added example: a call from Node, or a component of a React page. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { shownFile } from './example-files.mjs';

/** The address of the Worker in the examples, and the address of the Worker in Vite's development server. */
const ADDRESS = 'http://localhost:8787';
const ADDRESS_OF_VITE = 'http://localhost:5173';

/**
 * @param {string} project
 * @param {{ example: import('../examples.mjs').Example, names: import('./names.mjs').Names }[]} added - the first
 *   example is shown
 * @param {import('./example-files.mjs').Place} place
 * @param {{ hasNode: boolean, hasReact: boolean, isTypeless: boolean, isVite: boolean }} packages
 * @param {import('../packages/package-managers.mjs').PackageManager} packageManager
 * @returns {string[]} lines for the user
 */
export function firstUse(project, [added], place, packages, packageManager) {
  if (!added) return [];
  const { hasNode, hasReact, isTypeless, isVite } = packages;
  const { example, names } = added;
  const shown = (/** @type {string} */ file) => shownFile(example, file, names, place);
  const component = hasReact && !place.isOurs && shown('first-component.tsx');
  if (component) {
    const [, name = ''] = /^export function (\w+)/m.exec(component) ?? [];
    const folder = existsSync(join(project, 'src')) ? 'src' : '.';
    const file = posix.join(folder, `${name.toLowerCase()}.tsx`);
    return [
      `Then show it in a page: write ${file}, and <${name} /> in a component of yours:`,
      '',
      ...indented(component),
    ];
  }
  const call = shown('first-call.ts') ?? '';
  const address = isVite && !place.isOurs ? ADDRESS_OF_VITE : ADDRESS;
  return [
    'Then call it, for example from call.ts, at the address that the last command prints:',
    '',
    ...indented(call.replaceAll(ADDRESS, address)),
    '',
    hasNode
      ? `Run it with: ${packageManager.exec} node call.ts`
      : 'Run it with Node 22.18 or later: node call.ts',
    ...(isTypeless
      ? ['Node then warns that package.json has no "type": "module". The call works without it.']
      : []),
  ];
}

/** @param {string} text */
function indented(text) {
  return text.split('\n').map((line) => `  ${line}`.trimEnd());
}
