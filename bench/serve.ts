/** Starts the runtime of a part: its Worker in a bare workerd, with the template's compatibility settings. */
import { tmpdir } from 'node:os';
import { Runtime } from '../harness/runtime.ts';
import type { WorkerOptions } from '../harness/runtime/worker-bundle.ts';

export interface ServeOptions extends Omit<WorkerOptions, 'config'> {
  /** The folder for its files. The default is on a disk, because deployed objects wait for their commits, too. */
  folder?: string;
}

/**
 * @param main - the path of the Worker's source
 * @param bindings - the classes that it exports, by the names of their bindings
 * @throws Error if the Worker cannot be built or workerd does not start
 */
export function serve(
  main: string,
  bindings: Readonly<Record<string, string>>,
  { folder = tmpdir(), ...options }: ServeOptions = {},
): Promise<Runtime> {
  return Runtime.serve({ config: { main, bindings }, ...options }, folder);
}
