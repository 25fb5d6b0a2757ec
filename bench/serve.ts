/** Starts the runtime of a part: its Worker in a bare workerd, with the template's compatibility settings. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Runtime } from '../harness/runtime.ts';
import type { WorkerOptions } from '../harness/worker-bundle.ts';

export interface ServeOptions extends Omit<WorkerOptions, 'config'> {
  /** Folder for its files. Default: on disk, because deployed objects wait for their commits too. */
  folder?: string;
}

/**
 * @param part - folder of the part, whose `worker.ts` is served
 * @param bindings - the classes that it exports, by the names of their bindings
 * @throws Error if the Worker cannot be built or workerd does not start
 */
export function serve(
  part: string,
  bindings: Readonly<Record<string, string>>,
  { folder = tmpdir(), ...options }: ServeOptions = {},
): Promise<Runtime> {
  const config = { main: join(part, 'worker.ts'), bindings };
  return Runtime.serve({ config, ...options }, folder);
}
