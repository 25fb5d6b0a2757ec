/**
 * Runs a command and ends it, with everything it started, when the process that asked for it is
 * gone, however that one ended. `guarded-process.mjs` starts this file in a process group of its own
 * with an IPC channel; the channel closes even when the parent is killed outright.
 */
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);

const child = spawn(command ?? '', args, { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));

process.on('disconnect', () => {
  // The group includes this process, which must live to follow up.
  process.on('SIGTERM', () => {});
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), 3000);
});
