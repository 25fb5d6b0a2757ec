/**
 * Runs a command, and ends it with all its child processes when the parent of this process has ended, for any reason.
 * `guarded-process.mjs` starts this file in a process group of its own with an IPC channel. The channel closes even if
 * the parent is killed.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** The time that the command may take to end after SIGTERM, in milliseconds. */
const GRACE = 3_000;

/** `folder` is deleted after the parent has ended; empty for no folder. */
const [folder = '', command = '', ...args] = process.argv.slice(2);

const child = spawn(command, args, { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code) => {
  if (!process.connected) cleanUp();
  process.exit(code ?? 1);
});
if (child.pid !== undefined) process.send?.({ pid: child.pid });

process.on('disconnect', () => {
  // The group includes this process, which must survive to send SIGKILL.
  process.on('SIGTERM', () => {});
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => {
    cleanUp();
    process.kill(-process.pid, 'SIGKILL');
  }, GRACE);
});

function cleanUp() {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
