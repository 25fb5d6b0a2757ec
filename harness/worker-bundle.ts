/**
 * A worker as the bare workerd binary runs it: bundled with the settings of `wrangler deploy`, under
 * the compatibility settings of the template, with the bindings of its own wrangler.jsonc.
 * Imports template/perf.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readJsonc } from './jsonc.mjs';
import { workerdConfig } from '../template/perf/run/workerd-config.ts';

const TEMPLATE_CONFIG = join(import.meta.dirname, '../template/wrangler.jsonc');
const MAIN = 'worker.js';
const NO_COMPRESSION = 'no_web_socket_compression';

/** workerd's configuration file, beside the bundle. */
export const WORKERD_CONFIG = 'workerd.capnp';

export interface WorkerOptions {
  /** Path of the wrangler.jsonc that has the worker's source and its Durable Objects. */
  config: string;
  /** Files that run before the worker. */
  inject?: string[];
  /** Default: as the template's wrangler.jsonc says. */
  webSocketCompression?: boolean | undefined;
  /** Ports of this machine, by the names under which the worker can `fetch` from them. */
  peers?: Record<string, number>;
  /** Whether the worker finds a `gc()`, and an inspector can be asked for its heap. */
  inspected?: boolean;
}

/** Under what the worker runs, for a report. */
export interface Compatibility {
  compatibilityDate: string;
  compatibilityFlags: string[];
}

/**
 * @param directory - where to put the bundle and workerd's configuration
 * @param storage - the folder for the objects' databases, from that directory
 */
export async function bundleWorker(
  { config, inject = [], webSocketCompression, peers = {}, inspected = false }: WorkerOptions,
  directory: string,
  storage: string,
): Promise<Compatibility> {
  const { main, durable_objects } = read(config);
  const code = await bundleOf(resolve(dirname(config), main), inject);
  await writeFile(join(directory, MAIN), code);
  const compatibility = compatibilityWith(webSocketCompression);
  const own = workerdConfig({
    main: MAIN,
    ...compatibility,
    bindings: durable_objects.bindings,
    storage,
  });
  const text = withPeers(own, peers);
  await writeFile(join(directory, WORKERD_CONFIG), inspected ? withGarbageCollector(text) : text);
  return compatibility;
}

/** What was bundled by this process: one test file after another serves the same few workers. */
const bundles = new Map<string, Promise<Uint8Array>>();

function bundleOf(main: string, inject: string[]): Promise<Uint8Array> {
  const key = JSON.stringify([main, inject]);
  const known = bundles.get(key) ?? bundle(main, inject);
  bundles.set(key, known);
  return known;
}

async function bundle(main: string, inject: string[]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [main],
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    external: ['cloudflare:*', 'node:*'],
    conditions: ['workerd', 'worker', 'browser'],
    define: {
      'process.env.NODE_ENV': '"production"',
      'navigator.userAgent': '"Cloudflare-Workers"',
    },
    inject,
    logLevel: 'warning',
  });
  return (outputFiles[0] as { contents: Uint8Array }).contents;
}

/** A worker may not connect to this machine by itself. */
function withPeers(text: string, peers: Record<string, number>): string {
  let all = text;
  for (const [name, port] of Object.entries(peers)) {
    const service = `(name = "${name}", external = (address = "127.0.0.1:${port}", http = ())),`;
    all = all
      .replace('services = [', `$&\n    ${service}`)
      .replace(' bindings = [', `$&(name = "${name}", service = "${name}"), `);
  }
  return all;
}

/** V8's flags are for the whole process, so they stand in the configuration and not in a worker. */
function withGarbageCollector(text: string): string {
  return text.replace(/^const config .*\($/m, '$&\n  v8Flags = ["--expose-gc"],');
}

function compatibilityWith(webSocketCompression: boolean | undefined): Compatibility {
  const { compatibility_date: compatibilityDate, compatibility_flags } = read(TEMPLATE_CONFIG);
  const others = compatibility_flags.filter((flag) => flag !== NO_COMPRESSION);
  const isCompressed = webSocketCompression ?? others.length === compatibility_flags.length;
  return {
    compatibilityDate,
    compatibilityFlags: isCompressed ? others : [...others, NO_COMPRESSION],
  };
}

/** As much of a wrangler.jsonc as is needed here. */
interface Configuration {
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
}

/** Not by wrangler itself, which takes a second to load. */
function read(config: string): Configuration {
  return readJsonc(config) as Configuration;
}
