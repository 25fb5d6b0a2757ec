/** Loads the packages that only the performance test needs. Most projects do not have them. */
import type * as Capnweb from 'capnweb';
import type * as Tinybench from 'tinybench';

/** @throws Error that says what to install */
export function loadCapnweb(): Promise<typeof Capnweb> {
  return installed('capnweb', "The comparison with Cap'n Web", () => import('capnweb'));
}

/** @throws Error that says what to install */
export function loadTinybench(): Promise<typeof Tinybench> {
  return installed('tinybench', '--profile', () => import('tinybench'));
}

async function installed<Module>(
  name: string,
  purpose: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as { code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error(
      `${purpose} needs the package ${name}, which is not installed: npm install --save-dev ${name}`,
      { cause },
    );
  }
}
