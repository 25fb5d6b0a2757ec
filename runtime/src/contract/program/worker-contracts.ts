/**
 * Finds the contracts of a project's classes: builds its Worker as a deployment would, with an entry of this package
 * around it, and runs the bundle once in workerd.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  configIn,
  type InstalledWrangler,
  installedWrangler,
} from '../../wrangler/installed-wrangler.ts';
import { isModule, workerdConfig } from '../../wrangler/workerd-config.ts';
import type { ClassContract } from '../written.ts';

type Settings = ReturnType<InstalledWrangler['readConfig']>;

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
  const wrangler = installedWrangler(project);
  const settings = wrangler.readConfig(config, env);
  if (!settings.main) {
    throw new Error(`${config} names no \`main\`: it has no Worker whose contracts could be read.`);
  }
  const temporary = await mkdtemp(join(tmpdir(), 'lumenize-rpc-contract-'));
  // The folder is inside of the project, so that the project's packages are found.
  const entry = join(project, `.wrangler/tmp/contract-${process.pid}.mjs`);
  try {
    await mkdir(dirname(entry), { recursive: true });
    await writeFile(entry, entryAround(entry, settings.main));
    await build(wrangler, config, env, entry, temporary);
    const classes = await run(wrangler, settings, temporary);
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
  wrangler: InstalledWrangler,
  config: string,
  env: string | undefined,
  entry: string,
  folder: string,
): Promise<void> {
  const args = ['deploy', entry, '--config', config, '--dry-run', '--outdir', folder];
  if (env !== undefined) args.push('--env', env);
  const { code, output } = await end(wrangler.start(args, dirname(config)));
  if (code !== 0) throw new Error(`The Worker could not be built:\n${output.trim()}`);
}

/** Runs the bundle, which prints the contracts. */
async function run(
  { workerd }: InstalledWrangler,
  settings: Settings,
  folder: string,
): Promise<Record<string, ClassContract>> {
  await writeFile(join(folder, 'workerd.capnp'), configOf(settings, folder));
  const child = spawn(workerd.path, ['test', 'workerd.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, output } = await end(child);
  const line = stdout.split('\n').find((one) => one.includes(MARK));
  if (code === 0 && line) {
    return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)) as Record<
      string,
      ClassContract
    >;
  }
  throw new Error(`The Worker throws when it starts:\n${output.trim()}`);
}

function configOf(settings: Settings, folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter(isModule);
  const main = files.find((file) => /^contract-\d+\.m?js$/.test(file)) ?? '';
  const { compatibility_date = '', compatibility_flags, durable_objects, vars } = settings;
  return workerdConfig({
    main,
    modules: files.filter((file) => file !== main),
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    bindings: durable_objects.bindings,
    vars,
  });
}

/**
 * Waits for a process to end.
 *
 * @returns `stdout`: its output; `output`: its output and its error output
 */
async function end(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number; stdout: string; output: string }> {
  const [stdout, stderr, closed] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const [code] = closed as [number | null];
  return { code: code ?? 1, stdout, output: stdout + stderr };
}

/** @returns the absolute path of the configuration */
export function findConfig(named: string | undefined): string {
  const path = named === undefined ? configIn(process.cwd()) : resolve(named);
  if (path !== undefined && existsSync(path)) return path;
  throw new Error(
    named
      ? `There is no file ${named}: name the Wrangler configuration with --config.`
      : `There is no wrangler.jsonc in ${process.cwd()}: run this in the folder of the Worker, or name its configuration with --config.`,
  );
}
