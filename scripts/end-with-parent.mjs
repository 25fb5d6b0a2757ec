/** Runs a program of `npm start`, and ends its child processes with it. */
import { whenAncestorEnds } from '../harness/ancestors.mjs';
import { stopAll } from '../harness/guarded-process.mjs';

/**
 * The child processes end when the program ends, after a signal, and when the npm that started the
 * program is killed. No signal reports that last case.
 *
 * @param {() => Promise<void>} program
 */
export async function endWithParent(program) {
  process.once('SIGINT', () => end(130));
  process.once('SIGTERM', () => end(143));
  process.once('SIGHUP', () => end(129));
  whenAncestorEnds(() => end(1));
  try {
    await program();
  } catch (error) {
    console.error(`\nnpm start failed: ${error instanceof Error ? error.message : error}`);
    await end(1);
  }
  await stopAll();
}

/** @param {number} code */
function end(code) {
  return stopAll().finally(() => process.exit(code));
}
