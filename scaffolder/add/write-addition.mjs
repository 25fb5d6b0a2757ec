/** Step: writes all changes of `--add`, or none on failure, and prints what the user has to do. */
import { existsSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { conflict } from '../console/failure.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { additionResult } from './confirm-addition.mjs';
import { readText } from './text/file-text.mjs';
import { writeChanges } from './write-changes.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function writeAddition(context) {
  const { addition, target } = context;
  const { changed, created } = addition;
  // The user may have changed files while the question was open.
  for (const [path, { before }] of changed) {
    if (readText(join(target, path)) === before) continue;
    throw conflict(`${path} was changed while the question was open.`, 'Run the command again.');
  }
  for (const path of created.keys()) {
    if (!existsSync(join(target, path))) continue;
    throw conflict(`${path} was created while the question was open.`, 'Run the command again.');
  }
  const texts = Array.from(changed, ([path, { after }]) => /** @type {const} */ ([path, after]));
  writeChanges(context, target, new Map([...texts, ...created]));
  const next = printNext(context);
  return {
    finished: true,
    kept: `${addition.names.className} was added. To take it back: git stash --include-untracked`,
    result: { ...additionResult(target, addition), next },
  };
}

/**
 * @param {Context} context
 * @returns {string[]} the next commands
 */
function printNext({ addition, bold, cwd, packageManager, say, target }) {
  const { byHand, devScript, main, names, typesScript } = addition;
  const directory = relative(cwd, target);
  say();
  say(`${names.className} was added to ${directory || 'this directory'}.`);
  if (byHand) {
    say();
    say(`Add these lines to ${main} yourself:`);
    say();
    for (const line of byHand.split('\n')) say(`  ${line}`.trimEnd());
  }
  const next = [
    ...(directory ? [`cd ${quoted(directory)}`] : []),
    packageManager.install,
    ...(typesScript ? [packageManager.run(typesScript)] : []),
    devScript ? packageManager.run(devScript) : `${packageManager.exec} wrangler dev`,
  ];
  say();
  say('Next:');
  say();
  for (const command of next) say(`  ${bold(command)}`);
  say();
  for (const line of addition.hasReact ? firstComponent(addition, target) : firstCall(addition)) {
    say(line);
  }
  return next;
}

/**
 * @param {Context['addition']} addition
 * @returns {string[]} lines for the user, with a program in the project's directory
 */
function firstCall({ isTypeless, isVite, names: { binding, className, extension, module }, main }) {
  const object = `./${posix.join(posix.dirname(main), module)}${extension}`;
  const port = isVite ? 5173 : 8787;
  return [
    'Then call it, from call.ts for example, at the address that the last command prints:',
    '',
    "  import { createRpcClient } from 'lumenize-rpc/client';",
    `  import type { ${className} } from '${object}';`,
    '',
    `  const baseUrl = 'http://localhost:${port}';`,
    `  using counter = createRpcClient<${className}>('${binding}', 'my-counter', { baseUrl });`,
    '  console.log(await counter.increment());',
    '',
    'Run it with: node call.ts',
    ...(isTypeless
      ? ['Node then warns that package.json has no "type": "module". The call works without it.']
      : []),
  ];
}

/**
 * The component declares what it calls: the types of a page and of the Worker are checked apart, so it cannot import
 * the class.
 *
 * @param {Context['addition']} addition
 * @param {string} target
 * @returns {string[]} lines for the user, with a component of a page that the Worker serves
 */
function firstComponent({ names: { binding, className } }, target) {
  const file = posix.join(existsSync(join(target, 'src')) ? 'src' : '.', 'count.tsx');
  return [
    `Then show it in a page: write ${file}, and <Count /> in a component of yours:`,
    '',
    "  import { createRpcClient } from 'lumenize-rpc/client';",
    "  import { useLive } from 'lumenize-rpc/react';",
    '',
    `  interface ${className} {`,
    '    increment(by?: number): number;',
    '    getValue(): number;',
    '  }',
    '',
    `  const counter = createRpcClient<${className}>('${binding}', 'my-counter');`,
    '',
    '  export function Count() {',
    '    const { value } = useLive(counter, (counter) => counter.getValue());',
    '    return <button onClick={() => void counter.increment()}>{value}</button>;',
    '  }',
  ];
}
