/**
 * A project's copy of wrangler, for the programs that build a Worker as a deployment would and run it in the bare workerd
 * binary.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type * as Wrangler from 'wrangler';

export interface InstalledWrangler {
  /** @param env - the environment of the configuration. Default: none. */
  readConfig(config: string, env?: string): Wrangler.Unstable_Config;
  /** Starts wrangler's launcher. Do not end it with SIGKILL, because it passes on only SIGTERM. */
  start(args: readonly string[], cwd?: string): ChildProcessByStdio<null, Readable, Readable>;
  /** The path and the version of wrangler's own workerd binary, which runs the Workers that wrangler builds. */
  readonly workerd: { readonly path: string; readonly version: string };
}

/** @throws Error that says what to install */
export function installedWrangler(project: string): InstalledWrangler {
  const requireAsProject = createRequire(join(project, 'package.json'));
  let manifest: string;
  try {
    manifest = requireAsProject.resolve('wrangler/package.json');
  } catch (cause) {
    throw new Error(
      `${project} has no wrangler, which builds the Worker: npm install --save-dev wrangler`,
      { cause },
    );
  }
  const requireAsWrangler = createRequire(manifest);
  const { bin } = requireAsWrangler(manifest) as { bin: { wrangler: string } };
  const program = join(dirname(manifest), bin.wrangler);
  const workerd = requireAsWrangler('workerd') as { default: string; version: string };
  return {
    readConfig(config, env) {
      const { unstable_readConfig } = requireAsProject('wrangler') as typeof Wrangler;
      return unstable_readConfig({ config, env }, { hideWarnings: true });
    },
    start: (args, cwd) =>
      spawn(process.execPath, [program, ...args], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_WRITE_LOGS: 'false' },
      }),
    workerd: { path: workerd.default, version: workerd.version },
  };
}

/** Returns the path of wrangler's configuration in a folder; `undefined` if there is none. */
export function configIn(folder: string): string | undefined {
  const files = ['jsonc', 'json', 'toml'].map((kind) => join(folder, `wrangler.${kind}`));
  return files.find((file) => existsSync(file));
}
