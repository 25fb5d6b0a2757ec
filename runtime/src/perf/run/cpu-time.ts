/** Reads the CPU time of another process. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The number of ticks in a second. Linux reports times of processes in ticks. */
const TICKS = 100;

/** Returns the CPU time that a process has used, in milliseconds; `undefined` if the system does not report it. */
export function cpuTimeOf(pid: number): number | undefined {
  try {
    // The name of the program is in brackets, and can contain spaces.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user = '', system = ''] = fields.split(' ').slice(11, 13);
    return ((Number(user) + Number(system)) * 1000) / TICKS;
  } catch {
    return timeFromPs(pid);
  }
}

/** Reads the time that `ps` prints on macOS: `[hours:]minutes:seconds.hundredths`. */
function timeFromPs(pid: number): number | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'time=', '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const parts = output.trim().split(':').map(Number);
    const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
    return Number.isFinite(seconds) ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
