/** Serves the Worker of all contenders, which most parts share. */
import { join } from 'node:path';
import capnwebValidate from 'capnweb-validate/esbuild';
import type { Runtime } from '../../harness/runtime.ts';
import { bundle } from '../../harness/runtime/worker-bundle.ts';
import { serve, type ServeOptions } from '../serve.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');

/** The bindings of template/perf/wrangler.jsonc, and the bindings of the additional peers. */
const BINDINGS = {
  COUNTER: 'Counter',
  AWAKE: 'AwakeCounter',
  UNJOURNALED: 'UnjournaledCounter',
  MANUAL: 'ManualCounter',
  CAPNWEB: 'CapnwebCounter',
  PLAIN_FLOOR: 'PlainFloor',
  HIBERNATING_FLOOR: 'HibernatingFloor',
  POST_FLOOR: 'PostFloor',
  VALIDATED: 'ValidatedCounter',
  RPC_DO: 'RpcDoCounter',
  TRPC: 'TrpcCounter',
  COMLINK: 'ComlinkCounter',
};

let bundled: Promise<Uint8Array> | undefined;

/** @throws Error if the Worker cannot be built or workerd does not start */
export async function serveContenders(options: ServeOptions = {}): Promise<Runtime> {
  bundled ??= bundle(WORKER, { plugins: [validating()] });
  return serve(WORKER, BINDINGS, { code: await bundled, ...options });
}

/** Returns an esbuild plugin that writes the checks of capnweb-validate. */
export function validating(): ReturnType<typeof capnwebValidate> {
  return capnwebValidate({ tsconfig: join(import.meta.dirname, 'validated.tsconfig.json') });
}
