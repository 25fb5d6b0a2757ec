/**
 * Measures scaffolding: time relative to other scaffolders, bytes to download, bytes on disk, and whether equal input
 * gives equal bytes.
 */
import { createHash } from 'node:crypto';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCAFFOLDING } from '../../results/names.ts';
import type { PartOptions } from '../../part.ts';
import { type Row, rowsOf } from '../../results/rows.ts';
import { inTurns } from '../../turns.ts';
import { createVite, others, ours, type Scaffolder } from './peers.ts';
import { npm, Workspace } from './workspace.ts';

/** @throws Error if equal input gives different bytes */
export async function measureScaffolding({ isQuick, note }: PartOptions): Promise<Row[]> {
  const workspace = await Workspace.create();
  try {
    const rounds = isQuick ? 1 : 30;
    const rows = await timeAll(workspace, [ours, createVite, ...others], rounds, note);
    const { project } = await workspace.scaffold(ours);
    const again = await workspace.scaffold(ours);
    if ((await fingerprint(project)) !== (await fingerprint(again.project))) {
      throw new Error('Equal input has given different bytes');
    }
    const who = ours.name;
    const size = (what: string, value: number): Row => ({ what, who, value, unit: 'bytes' });
    const fetched = await downloads(workspace);
    rows.push(
      size('packed', (await stat(workspace.tarball)).size),
      size('packed, the template', await packedTemplate(workspace)),
      size(
        'downloads of npm create',
        fetched.reduce((sum, { bytes }) => sum + bytes, 0),
      ),
      {
        what: 'packages of npm create',
        who,
        value: fetched.length,
        note: fetched.map(({ name }) => name).join(', '),
      },
    );
    // It needs the network.
    if (!isQuick) {
      const { bytes, copiesOfWorkerd } = await installed(project);
      rows.push(size('installed project', bytes));
      rows.push({ what: 'copies of workerd in it', who, value: copiesOfWorkerd });
    }
    return rows;
  } finally {
    await workspace.remove();
  }
}

/** Times all scaffolders in turns, after a first run that shows which ones work. */
async function timeAll(
  workspace: Workspace,
  scaffolders: readonly Scaffolder[],
  rounds: number,
  note: (text: string) => void,
): Promise<Row[]> {
  const failed: Row[] = [];
  const acts = new Map<string, () => Promise<number>>();
  for (const one of scaffolders) {
    try {
      const { project } = await workspace.scaffold(one);
      await access(join(project, 'package.json'));
      acts.set(one.name, async () => (await workspace.scaffold(one)).time);
    } catch (error) {
      failed.push({ what: SCAFFOLDING, who: one.name, note: reasonOf(error) });
    }
  }
  const times = await inTurns(acts, {
    rounds,
    warmUp: 0,
    onRound: (round) => note(`round ${round + 1} of ${rounds}`),
  });
  return [...rowsOf(SCAFFOLDING, 'ms', times, [createVite.name]), ...failed];
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
async function downloads(workspace: Workspace): Promise<{ name: string; bytes: number }[]> {
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
