/**
 * A temporary folder in which this package and the other scaffolders are installed, and functions that run them there.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { memoryFolder } from '../../../harness/runtime/memory-folder.mjs';
import { packedIn, REPOSITORY } from '../../../harness/repository.mjs';
import { ours, PROJECT, type Scaffolder } from './peers.ts';

const execute = promisify(execFile);

/** Makes the network unavailable to a scaffolder. */
const OFFLINE = {
  npm_config_offline: 'true',
  npm_config_registry: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

export class Workspace {
  /** The folder in which this package is installed, as `npm create` would do it. */
  readonly ours: string;
  readonly tarball: string;
  readonly #root: string;
  readonly #theirs: string;
  /** Folder in memory. On ext4, a new file takes ten times as long in the half minute after many deletions. */
  readonly #projects: string;
  #count = 0;

  private constructor(root: string, projects: string, tarball: string) {
    this.#root = root;
    this.#projects = projects;
    this.tarball = tarball;
    this.ours = join(root, 'ours');
    this.#theirs = join(root, 'theirs');
  }

  static async create(): Promise<Workspace> {
    const [root = '', projects = ''] = await Promise.all(
      [tmpdir(), memoryFolder()].map(async (folder) =>
        realpath(await mkdtemp(join(folder, 'lumenize-rpc-bench-'))),
      ),
    );
    const { stdout } = await npm(REPOSITORY, ['pack', '--json', '--pack-destination', root]);
    const tarball = join(root, basename(packedIn(stdout).filename));
    const workspace = new Workspace(root, projects, tarball);
    for (const folder of [workspace.ours, workspace.#theirs]) await mkdir(folder);
    await writeFile(join(workspace.ours, 'package.json'), '{}');
    await copyFile(
      join(import.meta.dirname, 'versions.json'),
      join(workspace.#theirs, 'package.json'),
    );
    await npm(workspace.ours, ['install', workspace.tarball]);
    await npm(workspace.#theirs, ['install', '--ignore-scripts']);
    return workspace;
  }

  async remove(): Promise<void> {
    for (const folder of [this.#root, this.#projects]) {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /**
   * Runs a scaffolder without network, in an empty folder.
   *
   * @returns the project, and the time of the process in milliseconds
   * @throws Error with its output if it fails
   */
  async scaffold(scaffolder: Scaffolder): Promise<{ project: string; time: number }> {
    const installed = scaffolder === ours ? this.ours : this.#theirs;
    const [program = '', ...args] = scaffolder.command.split(' ');
    const file = await realpath(join(installed, 'node_modules/.bin', program));
    const parent = join(this.#projects, `project-${++this.#count}`);
    await mkdir(parent);
    const options = { cwd: parent, env: { ...process.env, ...OFFLINE }, timeout: 60_000 };
    const start = performance.now();
    const running = execute(process.execPath, [file, ...args], options);
    // A question gets no answer.
    running.child.stdin?.end();
    await running;
    return { project: join(parent, PROJECT), time: performance.now() - start };
  }
}

/** @throws Error with npm's output if npm fails */
export function npm(cwd: string, args: string[]): Promise<{ stdout: string }> {
  return execute('npm', [...args, '--no-audit', '--no-fund'], { cwd, maxBuffer: 2 ** 26 });
}
