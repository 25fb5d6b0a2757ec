/**
 * A worker as the bare workerd binary runs it: bundled by esbuild, under the compatibility settings
 * of the template, with the bindings of a wrangler.jsonc. Imports template/perf/workerd-config.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Unstable_Config, unstable_readConfig } from 'wrangler';
import { workerdConfig } from '../template/perf/workerd-config.ts';

const TEMPLATE = join(import.meta.dirname, '../template');
const MAIN = 'worker.js';

/** workerd's configuration file, beside the bundle. */
export const WORKERD_CONFIG = 'workerd.capnp';

export interface BundledWorker {
  /** The worker's source. */
  main: string;
  /** The wrangler.jsonc that has its Durable Objects. */
  config: string;
  /** Where to put the bundle and workerd's configuration. */
  directory: string;
  /** The folder for the objects' databases, from that directory. */
  storage: string;
  /** Files that run before the worker. */
  inject?: string[];
}

export async function bundleWorker(worker: BundledWorker): Promise<void> {
  const { main, config, directory, storage, inject = [] } = worker;
  await build({
    entryPoints: [main],
    outfile: join(directory, MAIN),
    bundle: true,
    format: 'esm',
    target: 'esnext',
    external: ['cloudflare:*'],
    conditions: ['workerd', 'worker', 'browser'],
    inject,
    logLevel: 'warning',
  });
  const { compatibility_date, compatibility_flags } = read(join(TEMPLATE, 'wrangler.jsonc'));
  const text = workerdConfig({
    main: MAIN,
    compatibilityDate: compatibility_date ?? '',
    compatibilityFlags: compatibility_flags,
    durableObjects: read(config).durable_objects.bindings.map(({ name, class_name }) => ({
      binding: name,
      className: class_name ?? name,
    })),
    storage,
  });
  await writeFile(join(directory, WORKERD_CONFIG), text);
}

function read(config: string): Unstable_Config {
  return unstable_readConfig({ config }, { hideWarnings: true });
}
