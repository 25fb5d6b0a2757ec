/** Finds out whether a process runs, also if another process started it. */
import { readFileSync } from 'node:fs';

/** @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    // A zombie has ended, but its parent has not collected it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
