/**
 * Runs a command and ends it, with everything it started, when the process that asked for it is
 * gone, however that one ended. `guarded-process.mjs` starts this file in a process group of its own
 * with an IPC channel; the channel closes even when the parent is killed outright. Imports node: only.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** How long the command may take to end when it is told to, in milliseconds. */
const GRACE = 3_000;

/** The folder goes with the parent; empty for none. */
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
  // The group includes this process, which must live to follow up.
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
