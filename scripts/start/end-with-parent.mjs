/** Runs a program of `npm start`, and ends its child processes with it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stopAll } from '../../harness/guarded-process.mjs';

/**
 * The child processes end when the program ends, after a signal, and when the npm that started the
 * program is killed, which no signal reports.
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

/**
 * Calls back once when the parent, or the parent's parent, has ended. npm runs a script through a
 * shell, which continues to run when only npm is killed.
 *
 * @param {() => void} callback
 */
function whenAncestorEnds(callback) {
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
