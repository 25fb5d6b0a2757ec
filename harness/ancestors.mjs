/** Detects that the processes that started this one have ended. No signal reports this. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Calls back once when the parent, or the parent's parent, has ended. npm runs a script through a
 * shell, which lives on when npm alone is killed.
 *
 * @param {() => void} callback
 */
export function whenAncestorEnds(callback) {
  const ancestors = [process.ppid, parentOf(process.ppid)].filter((pid) => pid > 1);
  const timer = setInterval(() => {
    if (ancestors.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, 500);
  timer.unref();
}

/**
 * @param {number} pid
 * @returns {number} 0 if the system does not report it
 */
function parentOf(pid) {
  try {
    // The state and the parent follow the command's name, which can contain any text and ends in `)`.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The system is not Linux.
  }
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${pid}`], { encoding: 'utf8' }));
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
