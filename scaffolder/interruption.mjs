/** Turns signals into a promise that rejects, so that the program undoes its changes and exits. */
import { constants } from 'node:os';
import { Failure } from './console/failure.mjs';

/** @returns {Promise<never>} rejects at the first SIGINT, SIGTERM or SIGHUP; later signals do nothing */
export function interruption() {
  /** @type {Promise<never>} */
  const interrupted = new Promise((_, reject) => {
    for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      // The exit code is 128 plus the signal's number, as in a shell: 130 for an interrupt from the keyboard.
      process.on(name, () => reject(new Failure('Interrupted.', 128 + constants.signals[name])));
    }
  });
  // It may reject between two steps, when nothing awaits it.
  interrupted.catch(() => {});
  return interrupted;
}
