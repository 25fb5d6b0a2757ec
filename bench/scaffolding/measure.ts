/**
 * Measures scaffolding: time relative to other scaffolders, bytes to download, bytes on disk, and whether equal input
 * gives equal bytes.
 */
import { createHash } from 'node:crypto';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Estimate, median, pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';
import { createVite, others, ours, type Scaffolder } from './peers.ts';
import { npm, Workspace } from './workspace.ts';

/** Times in milliseconds, sizes in bytes. */
export interface Scaffolding {
  times: {
    name: string;
    rounds: number;
    median?: number;
    /** Time relative to create-vite. */
    ratio?: Estimate;
    /** Why it could not be measured. */
    failure?: string;
  }[];
  packed: { package: number; template: number };
  downloads: { name: string; bytes: number }[];
  /** Undefined if the project was not installed. */
  installed?: { bytes: number; copiesOfWorkerd: number };
  isReproducible: boolean;
}

/** @param install - whether to install a project, which needs the network */
export async function measureScaffolding(rounds: number, install: boolean): Promise<Scaffolding> {
  const workspace = await Workspace.create();
  try {
    const times = await timeAll(workspace, [ours, createVite, ...others], rounds);
    const { project } = await workspace.scaffold(ours);
    const again = await workspace.scaffold(ours);
    return {
      times,
      packed: {
        package: (await stat(workspace.tarball)).size,
        template: await packedTemplate(workspace),
      },
      downloads: await downloads(workspace),
      isReproducible: (await fingerprint(project)) === (await fingerprint(again.project)),
      ...(install && { installed: await installed(project) }),
    };
  } finally {
    await workspace.remove();
  }
}

/** Times all scaffolders in rounds, in alternating order, after a first run that shows which ones work. */
async function timeAll(
  workspace: Workspace,
  scaffolders: readonly Scaffolder[],
  rounds: number,
): Promise<Scaffolding['times']> {
  const failures = new Map<Scaffolder, string>();
  const times = new Map(scaffolders.map((one) => [one, [] as number[]]));
  for (const one of scaffolders) {
    try {
      const { project } = await workspace.scaffold(one);
      await access(join(project, 'package.json'));
    } catch (error) {
      failures.set(one, reasonOf(error));
    }
  }
  const able = scaffolders.filter((one) => !failures.has(one));
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 ? able.toReversed() : able) {
      times.get(one)?.push((await workspace.scaffold(one)).time);
    }
  }
  const vite = times.get(createVite) ?? [];
  return scaffolders.map((one) => {
    const failure = failures.get(one);
    const own = times.get(one) ?? [];
    if (failure !== undefined) return { name: one.name, rounds: 0, failure };
    const result = { name: one.name, rounds, median: median(own) };
    return one === createVite ? result : { ...result, ratio: pairedRatio(own, vite) };
  });
}

/** Finds the lines with the error in a program's output, without the paths of this machine. */
function reasonOf(error: unknown): string {
  const { stdout, stderr, message } = error as Record<'stdout' | 'stderr' | 'message', string>;
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => /\berror\b/i.test(line));
  const named = lines.filter((line) => !/\bwarn\b|^\s*(throw|at) |complete log/.test(line));
  const reason = named.length > 0 ? named.slice(0, 2).join('; ') : message;
  return reason.replaceAll(homedir(), '~').replaceAll(tmpdir(), '/tmp').slice(0, 300).trim();
}

/** Size of the template in the package, as if it were a package of its own. */
async function packedTemplate({ ours: folder }: Workspace): Promise<number> {
  const { size } = await tarball(join(folder, 'node_modules/create-lumenize-rpc/dist/template'));
  return size;
}

/** All packages that `npm create` downloads, with the bytes of their tarballs. */
async function downloads(workspace: Workspace): Promise<Scaffolding['downloads']> {
  const lock = await readFile(join(workspace.ours, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
  const fetched = Object.entries(packages).map(async ([path, { version }]) => {
    const name = path.split('node_modules/').at(-1) ?? path;
    const { size } =
      name === ours.name ? await stat(workspace.tarball) : await tarball(`${name}@${version}`);
    return { name: `${name}@${version}`, bytes: size };
  });
  return Promise.all(fetched);
}

/** @param specifier - a package, or a folder that contains one */
async function tarball(specifier: string): Promise<{ size: number }> {
  const { stdout } = await npm(import.meta.dirname, ['pack', specifier, '--dry-run', '--json']);
  const [packed] = Object.values(JSON.parse(stdout)) as { size: number }[];
  return packed as { size: number };
}

/** Installs a project and measures it. A file with two names, as some npm packages have, counts once. */
async function installed(project: string): Promise<{ bytes: number; copiesOfWorkerd: number }> {
  await npm(project, ['install']);
  const paths = await filesIn(project);
  const files = await Promise.all(
    paths.map(async (path) => Object.assign(await stat(path), { path })),
  );
  const distinct = [...new Map(files.map((file) => [`${file.dev} ${file.ino}`, file])).values()];
  return {
    bytes: distinct.reduce((sum, { size }) => sum + size, 0),
    copiesOfWorkerd: distinct.filter(({ path }) => /[/\\]bin[/\\]workerd(\.exe)?$/.test(path))
      .length,
  };
}

/** A hash of the names, modes and bytes of all files. */
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await filesIn(folder)).toSorted()) {
    hash.update(`${path.slice(folder.length)} ${(await stat(path)).mode}\n`);
    hash.update(await readFile(path));
  }
  return hash.digest('hex');
}

/** Lists the files of a folder. Links are not followed, so that no file is counted twice. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
