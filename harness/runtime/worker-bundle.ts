/**
 * Bundles a Worker for the bare workerd binary, with the settings of `wrangler deploy`. It uses the
 * compatibility settings of the template, and the bindings of the Worker's own wrangler.jsonc. The
 * sources of the runtime replace the package lumenize-rpc.
 */
import { writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { builtForEsbuild, IS_BUILT, TESTED_RUNTIME } from './built-runtime.mjs';
import { readJsonc } from '../jsonc.mjs';
import { workerdConfig } from '../../runtime/src/wrangler/workerd-config.ts';

const TEMPLATE_CONFIG = join(import.meta.dirname, '../../template/wrangler.jsonc');
const SOURCES = join(import.meta.dirname, '../../runtime/src');
const MAIN = 'worker.js';
/**
 * The environment variable with the date of Workers that have no date of their own. Default: the
 * date of the template.
 */
export const COMPATIBILITY_DATE = 'WORKER_COMPATIBILITY_DATE';
const NO_COMPRESSION = 'no_web_socket_compression';

/** workerd's configuration file, beside the bundle. */
export const WORKERD_CONFIG = 'workerd.capnp';

/** A Worker without a wrangler.jsonc. */
interface WorkerSource {
  /** Path of the Worker's source. */
  main: string;
  /** The Durable Object classes that it exports, by the names of their bindings. */
  bindings: Readonly<Record<string, string>>;
}

export interface WorkerOptions {
  /**
   * The path of the wrangler.jsonc that names the Worker's source and its Durable Objects; or the
   * source and the objects themselves.
   */
  config: string | WorkerSource;
  /** Files that run before the Worker. */
  inject?: string[];
  /**
   * The compatibility date. Default: the date in the environment variable `COMPATIBILITY_DATE`, or else in the
   * template's wrangler.jsonc.
   */
  compatibilityDate?: string | undefined;
  /** Flags in addition to the flags of the template's wrangler.jsonc. */
  compatibilityFlags?: string[];
  /** True if the bundle is for production. Default: true. */
  isProduction?: boolean;
  /** True if WebSockets compress messages. Default: the setting of the template's wrangler.jsonc. */
  webSocketCompression?: boolean | undefined;
  /** Ports of this machine, by the names of the bindings with which the Worker can `fetch` from them. */
  peers?: Record<string, number>;
  /** The name of a peer to which the spans of the Worker are sent: each event of its streaming tail, as JSON. */
  tail?: string;
  /** True if the Worker has `gc()`, and an inspector reports its heap. */
  inspected?: boolean;
  /** The bundle, if it already exists. */
  code?: Uint8Array;
}

export interface BundleOptions {
  /** Files that run before the Worker. */
  inject?: string[];
  minify?: boolean;
  /** True if the bundle is for production. Default true. */
  isProduction?: boolean;
  /**
   * The folder of the built package lumenize-rpc. By default, the sources of the runtime replace
   * the package.
   */
  runtime?: string;
  plugins?: Plugin[];
}

/** Compatibility settings of the Worker, for a report. */
export interface Compatibility {
  compatibilityDate: string;
  compatibilityFlags: string[];
}

/**
 * @param directory - the folder for the bundle and workerd's configuration
 * @param storage - the folder for the objects' databases, relative to that directory
 */
export async function bundleWorker(
  worker: WorkerOptions,
  directory: string,
  storage: string,
): Promise<Compatibility> {
  const {
    code,
    config,
    inject = [],
    isProduction = true,
    peers = {},
    tail,
    inspected = false,
  } = worker;
  const { main, bindings } = typeof config === 'string' ? sourceIn(config) : config;
  const bundled = code ?? (await bundleOf(main, inject, isProduction));
  await writeFile(join(directory, MAIN), bundled);
  const compatibility = compatibilityWith(worker);
  const own = workerdConfig({
    main: MAIN,
    ...compatibility,
    bindings: Object.entries(bindings).map(([name, class_name]) => ({ name, class_name })),
    storage,
  });
  const text = withTail(withPeers(own, peers), tail);
  await writeFile(join(directory, WORKERD_CONFIG), inspected ? withGarbageCollector(text) : text);
  return compatibility;
}

/**
 * The names of the modules of Node, with the prefix `node:`. wrangler adds this prefix with the flag `nodejs_compat`,
 * without which workerd has no modules of Node.
 */
const NODE_MODULES = Object.fromEntries(builtinModules.map((name) => [name, `node:${name}`]));

/** Bundles that this process has made, because many test files serve the same few Workers. */
const bundles = new Map<string, Promise<Uint8Array>>();

function bundleOf(main: string, inject: string[], isProduction: boolean): Promise<Uint8Array> {
  const key = JSON.stringify([main, inject, isProduction]);
  const known = bundles.get(key) ?? bundle(main, { inject, isProduction });
  bundles.set(key, known);
  return known;
}

/** @param main - the path of the Worker's source */
export async function bundle(
  main: string,
  {
    inject = [],
    minify = false,
    isProduction = true,
    runtime = SOURCES,
    plugins = [],
  }: BundleOptions = {},
): Promise<Uint8Array> {
  const isBuilt = process.env[TESTED_RUNTIME] === IS_BUILT;
  const { outputFiles = [] } = await build({
    entryPoints: [main],
    write: false,
    bundle: true,
    minify,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    external: ['cloudflare:*', 'node:*'],
    // In a Worker, the door `perf` is another module.
    alias: isBuilt
      ? NODE_MODULES
      : {
          ...NODE_MODULES,
          'lumenize-rpc/perf': join(runtime, 'perf-worker'),
          'lumenize-rpc': runtime,
        },
    conditions: ['workerd', 'worker', 'browser'],
    define: {
      'process.env.NODE_ENV': isProduction ? '"production"' : '"development"',
      'navigator.userAgent': '"Cloudflare-Workers"',
    },
    inject,
    plugins: isBuilt ? [builtForEsbuild(), ...plugins] : plugins,
    logLevel: 'warning',
  });
  return (outputFiles[0] as { contents: Uint8Array }).contents;
}

/** Adds a service for each peer. Without it, a Worker cannot connect to this machine. */
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

/** The Worker that receives the events of another Worker. */
const TAIL = `export default {
  async tailStream(onset, env) {
    const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value);
    const send = async (event) => {
      const body = JSON.stringify(event, plain);
      await env.PEER.fetch('http://peer/tail', { method: 'POST', body });
    };
    await send(onset);
    return send;
  },
};`;

/** Adds a streaming tail Worker, which receives the platform's spans. */
function withTail(text: string, peer: string | undefined): string {
  if (peer === undefined) return text;
  const [date = ''] = /compatibilityDate = "[^"]*"/.exec(text) ?? [];
  const bindings = `bindings = [(name = "PEER", service = "${peer}")]`;
  const worker = `modules = [(name = "tail.js", esModule = ${JSON.stringify(TAIL)})], ${date}, ${bindings}`;
  return text
    .replace(' bindings = [', ' streamingTails = ["tail"],$&')
    .replace('services = [', `$&\n    (name = "tail", worker = (${worker})),`);
}

/** Exposes `gc()`. V8's flags are set for the whole process, so they are not part of a Worker. */
function withGarbageCollector(text: string): string {
  return text.replace(/^const config .*\($/m, '$&\n  v8Flags = ["--expose-gc"],');
}

function compatibilityWith({ webSocketCompression, ...own }: WorkerOptions): Compatibility {
  const { compatibility_date, compatibility_flags } = read(TEMPLATE_CONFIG);
  const { compatibilityDate = process.env[COMPATIBILITY_DATE] ?? compatibility_date } = own;
  const { compatibilityFlags = [] } = own;
  const all = [...compatibility_flags, ...compatibilityFlags];
  const others = all.filter((flag) => flag !== NO_COMPRESSION);
  const isCompressed = webSocketCompression ?? others.length === all.length;
  return {
    compatibilityDate,
    compatibilityFlags: isCompressed ? others : [...others, NO_COMPRESSION],
  };
}

/** The part of a wrangler.jsonc that this module uses. */
interface Configuration {
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
}

/** @param config - the path of a wrangler.jsonc */
function sourceIn(config: string): WorkerSource {
  const { main, durable_objects } = read(config);
  const classes = durable_objects.bindings.map(({ name, class_name }) => [name, class_name]);
  return { main: resolve(dirname(config), main), bindings: Object.fromEntries(classes) };
}

/** Reads the file without wrangler, which takes a second to load. */
function read(config: string): Configuration {
  return readJsonc(config) as Configuration;
}
