/**
 * Measures the cost of debug output in an object, on and off, relative to a copy of the runtime without its code: the
 * table of docs/decisions/wire-and-values.md.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import { contenderOf } from '../contenders/peers.ts';
import type { PartOptions } from '../part.ts';
import type { Row } from '../results/rows.ts';
import { compareVariants } from '../series.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKLOADS = ['100 increments', '100 reads', '100 reads in flight'];

/** Replacements by file. Each file has to contain the text that is replaced. */
type Edits = Record<string, [found: string, replacement: string][]>;

const WITHOUT: Edits = {
  'runtime/src/server/calls/dispatch.ts': [
    ['const { debug } = target.contract;', ''],
    ['if (debug) peer.logWith(debug, target.instance).up(frame);', ''],
  ],
  'runtime/src/server/connections/client-connection.ts': [['this.#log?.down(frame);', '']],
};

/** The copies use the sources of the runtime beside them. */
const ALWAYS: Edits = {
  'src/counter.ts': [["'lumenize-rpc/server'", "'../runtime/src/server.ts'"]],
  'perf/worker.ts': [
    ["'lumenize-rpc/perf'", "'../runtime/src/perf-worker.ts'"],
    ["'lumenize-rpc/perf'", "'../runtime/src/perf-worker.ts'"],
  ],
};

/** The others are compared with the first. The second is the same and shows the noise of a comparison. */
const VARIANTS: Record<string, Edits> = {
  without: WITHOUT,
  'without it, again': WITHOUT,
  off: {},
  on: {
    'perf/worker.ts': [
      [
        'import * as Type',
        `import { debug } from '../runtime/src/features/debug/server.ts';\nimport * as Type`,
      ],
      ['\n});', '\n}, { debug });'],
    ],
  },
};

/** @throws Error if a text to replace is missing, because the code has changed */
export async function measureDebug({ isQuick }: PartOptions): Promise<Row[]> {
  const ours = contenderOf('this RPC');
  // The folder is inside the repository, so that the copies find its packages.
  const directory = await mkdtemp(join(ROOT, 'node_modules/.bench-debug-'));
  await using all = new AsyncDisposableStack();
  all.defer(() => rm(directory, { recursive: true, force: true }));
  const variants: Contender[] = [];
  for (const [name, edits] of Object.entries(VARIANTS)) {
    const config = await copyWith(join(directory, name), edits);
    const { url } = all.use(await Runtime.serve({ config }));
    const { about } = ours;
    variants.push({ name, about, connect: (_url, counter) => ours.connect(url, counter) });
  }
  // Awaited here, before the runtimes stop.
  return await compareVariants(variants, WORKLOADS, 100_000, isQuick);
}

/**
 * @returns path of the Worker's configuration in the copy
 * @throws Error if a text to replace is missing, because the code has changed
 */
async function copyWith(target: string, edits: Edits): Promise<string> {
  for (const part of ['src/counter.ts', 'perf', 'wrangler.jsonc']) {
    await cp(join(ROOT, 'template', part), join(target, part), { recursive: true });
  }
  await cp(join(ROOT, 'runtime/src'), join(target, 'runtime/src'), { recursive: true });
  for (const [file, replacements] of [...Object.entries(ALWAYS), ...Object.entries(edits)]) {
    let text = await readFile(join(target, file), 'utf8');
    for (const [found, replacement] of replacements) {
      if (!text.includes(found)) throw new Error(`${file} has no ${found}`);
      text = text.replace(found, replacement);
    }
    await writeFile(join(target, file), text);
  }
  return join(target, 'perf/wrangler.jsonc');
}
