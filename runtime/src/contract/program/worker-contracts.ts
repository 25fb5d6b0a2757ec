/**
 * Finds the contracts of a project's classes: builds its Worker as a deployment would, with an entry of ours around it,
 * and runs the bundle once in workerd.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClassContract } from '../written.ts';

/**
 * The path of the entry. In the built package it is also a file of its own, beside the module that contains this file.
 */
const DESCRIBE = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../describe.ts' : './contract-describe.js',
    import.meta.url,
  ).href,
);

/** The text that the Worker prints before the contracts. */
const MARK = 'lumenize-rpc contracts: ';

/**
 * @param config - the path of wrangler's configuration
 * @param env - the environment of the configuration
 * @returns the contracts of all classes, by the names of the classes
 * @throws Error that says what to do: for a Worker that cannot be built, or that throws when it starts
 */
export async function contractsOfWorker(
  config: string,
  env: string | undefined,
): Promise<Record<string, ClassContract>> {
  const project = dirname(config);
  const tools = toolsOf(project);
  const settings = tools.wrangler.unstable_readConfig({ config, env }, { hideWarnings: true });
  if (!settings.main) {
    throw new Error(`${config} names no \`main\`: it has no Worker whose contracts could be read.`);
  }
  const temporary = await mkdtemp(join(tmpdir(), 'lumenize-rpc-contract-'));
  // The folder is inside of the project, so that the project's packages are found.
  const entry = join(project, `.wrangler/tmp/contract-${process.pid}.mjs`);
  try {
    await mkdir(dirname(entry), { recursive: true });
    await writeFile(entry, entryAround(entry, settings.main));
    await build(tools, config, env, entry, temporary);
    const classes = await run(tools, settings, temporary);
    for (const [name, contract] of Object.entries(classes)) {
      const bindings = settings.durable_objects.bindings
        .filter(({ class_name, script_name }) => class_name === name && !script_name)
        .map((binding) => binding.name);
      classes[name] = { bindings, ...contract };
    }
    return classes;
  } finally {
    await rm(entry, { force: true });
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The fields that are read from wrangler's configuration. */
interface Settings {
  readonly main?: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly compatibility_date?: string;
  readonly compatibility_flags: readonly string[];
  readonly durable_objects: {
    readonly bindings: readonly {
      readonly name: string;
      readonly class_name: string;
      readonly script_name?: string;
    }[];
  };
}

interface Tools {
  readonly wrangler: {
    unstable_readConfig(
      from: { config: string; env: string | undefined },
      options: { hideWarnings: boolean },
    ): Settings;
  };
  /** The program of wrangler. */
  readonly program: string;
  /** The program of workerd that belongs to it. */
  readonly workerd: string;
}

/** @throws Error that says what to install */
function toolsOf(project: string): Tools {
  const requireAsProject = createRequire(join(project, 'package.json'));
  let manifest: string;
  try {
    manifest = requireAsProject.resolve('wrangler/package.json');
  } catch (cause) {
    throw new Error(
      `${project} has no wrangler, which builds the Worker: npm install --save-dev wrangler`,
      {
        cause,
      },
    );
  }
  const requireAsWrangler = createRequire(manifest);
  const { bin } = requireAsWrangler(manifest) as { bin: { wrangler: string } };
  return {
    wrangler: requireAsProject('wrangler') as Tools['wrangler'],
    program: join(dirname(manifest), bin.wrangler),
    workerd: (requireAsWrangler('workerd') as { default: string }).default,
  };
}

function entryAround(entry: string, main: string): string {
  const from = (file: string): string => {
    const path = relative(dirname(entry), file).split(sep).join('/');
    return JSON.stringify(path.startsWith('.') ? path : `./${path}`);
  };
  return `import * as exported from ${from(main)};
import { describeClasses } from ${from(DESCRIBE)};
export * from ${from(main)};
export default {
  test() {
    console.log(${JSON.stringify(MARK)} + JSON.stringify(describeClasses(exported)));
  },
};
`;
}

async function build(
  tools: Tools,
  config: string,
  env: string | undefined,
  entry: string,
  folder: string,
): Promise<void> {
  const environment = env === undefined ? [] : ['--env', env];
  const { code, output } = await execute(
    process.execPath,
    [
      tools.program,
      'deploy',
      entry,
      '--config',
      config,
      '--dry-run',
      '--outdir',
      folder,
      ...environment,
    ],
    dirname(config),
  );
  if (code !== 0) throw new Error(`The Worker could not be built:\n${output.trim()}`);
}

/** The kind of a module in workerd's configuration, by the ending of the file. */
const MODULES: Readonly<Record<string, string>> = {
  '.js': 'esModule',
  '.mjs': 'esModule',
  '.wasm': 'wasm',
  '.txt': 'text',
  '.html': 'text',
  '.sql': 'text',
  '.bin': 'data',
};

/** Runs the bundle, which prints the contracts. */
async function run(
  tools: Tools,
  settings: Settings,
  folder: string,
): Promise<Record<string, ClassContract>> {
  await writeFile(join(folder, 'workerd.capnp'), workerdConfig(settings, folder));
  const { code, output } = await execute(tools.workerd, ['test', 'workerd.capnp'], folder);
  const line = output.split('\n').find((one) => one.includes(MARK));
  if (code === 0 && line) {
    return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)) as Record<
      string,
      ClassContract
    >;
  }
  throw new Error(`The Worker throws when it starts:\n${output.trim()}`);
}

function workerdConfig(settings: Settings, folder: string): string {
  const quote = (text: string): string => JSON.stringify(text);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => Object.hasOwn(MODULES, extname(file)));
  // The first module is the Worker.
  const main = files.find((file) => /^contract-\d+\.m?js$/.test(file)) ?? '';
  const modules = [main, ...files.filter((file) => file !== main)].map((file) => {
    const kind = MODULES[extname(file)];
    return `(name = ${quote(file)}, ${kind} = embed ${quote(file)})`;
  });
  const vars = Object.entries(settings.vars).map(([name, value]) => {
    const form =
      typeof value === 'string'
        ? `text = ${quote(value)}`
        : `json = ${quote(JSON.stringify(value))}`;
    return `(name = ${quote(name)}, ${form})`;
  });
  const objects = settings.durable_objects.bindings.filter(({ script_name }) => !script_name);
  const classes = [...new Set(objects.map(({ class_name }) => class_name))];
  const namespaces = classes.map(
    (name) => `(className = ${quote(name)}, uniqueKey = ${quote(name)}, enableSql = true)`,
  );
  const bound = objects.map(
    ({ name, class_name }) =>
      `(name = ${quote(name)}, durableObjectNamespace = ${quote(class_name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "worker", worker = .worker)]);

const worker :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = ${quote(settings.compatibility_date ?? '')},
  compatibilityFlags = [${settings.compatibility_flags.map(quote).join(', ')}],
  durableObjectStorage = (inMemory = void),
  durableObjectNamespaces = [${namespaces.join(', ')}],
  bindings = [${[...vars, ...bound].join(', ')}],
);
`;
}

async function execute(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_WRITE_LOGS: 'false' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

/** @returns the absolute path of the configuration */
export function findConfig(named: string | undefined): string {
  const paths = named ? [named] : ['jsonc', 'json', 'toml'].map((kind) => `wrangler.${kind}`);
  const found = paths.map((path) => resolve(path)).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    named
      ? `There is no ${named}.`
      : `There is no wrangler.jsonc in ${process.cwd()}: run this in the folder of the Worker, or name its configuration with --config.`,
  );
}
