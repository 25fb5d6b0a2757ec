/**
 * Creates other kinds of projects that use the client, as in the template's guide. They have the settings of their own
 * templates, and the packages that their build needs.
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { apply, blocksOf, GUIDES } from '../guides/blocks.mjs';

/** The page with code for these projects. */
const PAGE = `${GUIDES}frameworks.md`;

/**
 * @typedef {object} Project
 * @property {Record<string, string>} dependencies - packages for the build
 * @property {Record<string, unknown>} options - options of the compiler
 * @property {string} folder - folder of the sources
 * @property {Record<string, string>} files - the project's own files, by path
 * @property {string[]} [build] - commands, one after another; `react.slow.test.mjs` builds a page by Vite with React
 * @property {string} [page] - output folder of the build, if the output is a whole page
 * @property {string} [counted] - text of the page's button after the first click
 */

const REACT = { '@types/react': '19.3.0', react: '19.3.1', 'react-dom': '19.3.1' };
const TYPESCRIPT = { typescript: '5.9.3' };

const COUNTER = `import type { CounterApi } from './counter-api.ts';
import { createRpcClient, RpcError } from 'lumenize-rpc/client';

export const counter = createRpcClient<CounterApi>('COUNTER', 'my-counter', {
  baseUrl: globalThis.location?.origin ?? 'http://localhost:8787',
});

export async function count(by?: number): Promise<number> {
  try {
    await counter.reset();
    await counter.increment();
    await counter.increment(counter.getValue());
    return await counter.increment(by);
  } catch (error) {
    if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') return 0;
    throw error;
  }
}

// @ts-expect-error: no such method
export const missing = (): unknown => counter.decrement();
// @ts-expect-error: not a number
export const wrong = (): unknown => counter.increment('one');
`;

const COMPONENT = `import { useLive, useRpcClient } from 'lumenize-rpc/react';
import type { CounterApi } from './counter-api.ts';
import { count } from './counter.ts';

export default function Counter() {
  const counter = useRpcClient<CounterApi>('COUNTER', 'my-counter');
  const { value, error } = useLive(counter, (counter) => counter.getValue());
  return <button onClick={() => void count(5)}>{error ? String(error) : (value ?? 'None yet')}</button>;
}
`;

/** Compiler options that both templates of create-vite share. */
const BY_VITE = {
  target: 'ES2022',
  useDefineForClassFields: true,
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  skipLibCheck: true,
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  moduleDetection: 'force',
  noEmit: true,
};

/** @type {Record<string, Project>} */
export const PROJECTS = {
  'Vite with React': {
    dependencies: { ...REACT, ...TYPESCRIPT },
    options: {
      ...BY_VITE,
      types: ['vite/client'],
      jsx: 'react-jsx',
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      noFallthroughCasesInSwitch: true,
      noUncheckedSideEffectImports: true,
    },
    folder: 'src',
    files: { 'src/counter.ts': COUNTER },
  },
  'Vite with Svelte': {
    dependencies: {
      ...TYPESCRIPT,
      '@sveltejs/vite-plugin-svelte': '6.2.3',
      svelte: '5.57.3',
      'svelte-check': '4.7.8',
      vite: '7.3.8',
    },
    options: {
      ...BY_VITE,
      types: ['svelte', 'vite/client'],
      strict: true,
    },
    folder: 'src',
    files: {
      'index.html': '<!doctype html><body><script type="module" src="/src/main.js"></script>',
      'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { plugins: [svelte()] };`,
      'svelte.config.js': `import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
export default { preprocess: vitePreprocess() };`,
      'src/counter.ts': COUNTER,
      'src/main.js': `import { mount } from 'svelte';
import Counter from './Counter.svelte';
mount(Counter, { target: document.body });`,
    },
    build: ['svelte-check --fail-on-warnings', 'vite build'],
    page: 'dist',
    counted: '1',
  },
  'Vite with Vue': {
    dependencies: {
      ...TYPESCRIPT,
      '@vitejs/plugin-vue': '6.0.11',
      vite: '7.3.8',
      vue: '3.5.45',
      'vue-tsc': '3.3.14',
    },
    options: {
      ...BY_VITE,
      types: ['vite/client'],
      strict: true,
    },
    folder: 'src',
    files: {
      'index.html': '<!doctype html><body><script type="module" src="/src/main.js"></script>',
      'vite.config.js': `import vue from '@vitejs/plugin-vue';
export default { plugins: [vue()] };`,
      'src/counter.ts': COUNTER,
      'src/main.js': `import { createApp } from 'vue';
import Counter from './Counter.vue';
createApp(Counter).mount(document.body);`,
    },
    build: ['vue-tsc --noEmit', 'vite build'],
    page: 'dist',
    counted: '1',
  },
  'webpack with React': {
    dependencies: {
      ...REACT,
      ...TYPESCRIPT,
      '@types/react-dom': '19.3.0',
      'ts-loader': '9.6.2',
      webpack: '5.113.0',
      'webpack-cli': '7.3.1',
    },
    options: {
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      module: 'esnext',
      moduleResolution: 'bundler',
      rewriteRelativeImportExtensions: true,
      strict: true,
      types: [],
      jsx: 'react-jsx',
    },
    folder: 'src',
    files: {
      'dist/index.html': '<!doctype html><body><script type="module" src="/main.js"></script>',
      'webpack.config.js': `export default {
  mode: 'production',
  entry: './src/index.tsx',
  module: { rules: [{ test: /\\.tsx?$/, use: 'ts-loader' }] },
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
};`,
      'src/counter.ts': COUNTER,
      'src/counter-button.tsx': COMPONENT,
      'src/index.tsx': `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import Counter from './counter-button.tsx';
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <StrictMode><Counter /></StrictMode>,
);`,
    },
    build: ['webpack'],
    page: 'dist',
    counted: '7',
  },
  'Next.js': {
    dependencies: { ...REACT, ...TYPESCRIPT, '@types/node': '24.19.2', next: '16.4.6' },
    options: {
      target: 'ES2017',
      lib: ['dom', 'dom.iterable', 'esnext'],
      allowJs: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: 'react-jsx',
      incremental: true,
      plugins: [{ name: 'next' }],
    },
    folder: 'app',
    files: {
      'app/counter.ts': COUNTER,
      'app/page.tsx': `'use client';\n${COMPONENT}`,
      'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
    },
    build: ['next build'],
  },
  'tsc alone': {
    dependencies: TYPESCRIPT,
    options: {
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      types: [],
      rewriteRelativeImportExtensions: true,
      outDir: 'dist',
    },
    folder: 'src',
    files: { 'src/counter.ts': COUNTER },
    build: ['tsc -p .', 'node --input-type=module -e import("./dist/counter.js")'],
  },
};

/**
 * Makes a project with the client, as the guide says.
 *
 * @param {string} name - one of `PROJECTS`
 * @param {ReturnType<typeof import('../setup/projects.mjs').projects>} place - where it is made
 * @returns {Promise<{ folder: string, template: string }>} the project's folder, and the scaffolded project
 *   from which it has the package
 */
export async function prepareProject(name, { root, scaffold }) {
  const project = /** @type {Project} */ (PROJECTS[name]);
  const plain = name.replaceAll(/\W/g, '-');
  const folder = join(root, plain);
  makeProject(project, folder);
  const template = await scaffold(`for-${plain}`);
  takeClient(project, template, folder);
  return { folder, template };
}

/**
 * Makes the project, without the files of the template.
 *
 * @param {Project} project
 * @param {string} to
 */
function makeProject({ dependencies, options, files }, to) {
  const all = {
    ...files,
    'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: options,
      include: ['src', 'app', 'next-env.d.ts'],
    }),
  };
  for (const [path, text] of Object.entries(all)) {
    fs.mkdirSync(dirname(join(to, path)), { recursive: true });
    fs.writeFileSync(join(to, path), text);
  }
}

/** The files in `src/` that the guides have for such projects: a file for all, and files by framework. */
const API = 'counter-api.ts';
/** @type {Record<string, string[]>} */
const OF_FRAMEWORK = { svelte: ['Counter.svelte'], vue: ['Counter.vue', 'use-store.ts'] };

/**
 * Gives a project the package, and the files that the guides show for such a project.
 *
 * @param {Project} project
 * @param {string} template - a scaffolded project
 * @param {string} to - the project's folder
 */
function takeClient({ dependencies, folder }, template, to) {
  // The package is copied, because a bundler would look for React beside the target of a link.
  const place = join(to, 'node_modules/lumenize-rpc');
  fs.cpSync(join(template, 'vendor/lumenize-rpc'), place, { recursive: true });
  const own = Object.keys(dependencies).flatMap((name) => OF_FRAMEWORK[name] ?? []);
  for (const file of [API, ...own]) {
    const block = blocksOf(PAGE).find((one) => one.file === `src/${file}`);
    if (!block) throw new Error(`${PAGE} has no src/${file}`);
    apply(block, template);
    fs.cpSync(join(template, 'src', file), join(to, folder, file));
  }
}
