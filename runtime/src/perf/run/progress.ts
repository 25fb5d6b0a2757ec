/**
 * Shows on stderr the progress of a run. On a terminal this is one line, which is overwritten. In a file or a pipe
 * it is a line for each phase and for each quarter of it.
 */

let shown = '';

/**
 * @param phase - the present action of the run
 * @param part - the part of the phase that is done, from 0 to 1; left out if the phase is short
 */
export function showProgress(phase: string, part?: number): void {
  const steps = process.stderr.isTTY ? 100 : 4;
  // The percentage is rounded down, so that 100 % is shown only at the end.
  const percent = part === undefined ? 0 : (Math.floor(part * steps) * 100) / steps;
  const text = percent > 0 ? `${phase}, ${percent} %` : phase;
  if (text === shown) return;
  shown = text;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `perf: ${text}\n`);
}

/** Removes the line from a terminal, before other output. */
export function clearProgress(): void {
  shown = '';
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
