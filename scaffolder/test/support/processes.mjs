/** Whether a process lives, whoever started it. */
import { readFileSync } from 'node:fs';

/** @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    // Ended, but not yet collected by whoever adopted it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
