/** Tests the progress that a run shows on a terminal and in a file. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { clearProgress, showProgress } from '../../../src/perf/run/progress.ts';

/** Records the text that is written to stderr, as if stderr were a terminal or not. */
function stderr(isTTY: boolean): string[] {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
  onTestFinished(() => {
    write.mockRestore();
    if (before) Object.defineProperty(process.stderr, 'isTTY', before);
    else Reflect.deleteProperty(process.stderr, 'isTTY');
  });
  return written;
}

/** Simulates a run of two phases, the second of which is long. */
function run(): void {
  showProgress('building');
  showProgress('building');
  for (const part of [0, 0.004, 0.249, 0.25, 0.3, 0.999, 1]) showProgress('measuring', part);
}

beforeEach(clearProgress);

test('in a file, the progress is a line for each phase and each quarter of a phase', () => {
  const written = stderr(false);
  run();
  clearProgress();
  run();
  const lines = ['building', 'measuring', ...[25, 75, 100].map((part) => `measuring, ${part} %`)];
  const all = lines.map((line) => `perf: ${line}\n`);
  expect(written).toEqual([...all, ...all]);
});

test('on a terminal, the progress is one line that shows each per cent', () => {
  const written = stderr(true);
  run();
  showProgress('measuring');
  clearProgress();
  showProgress('measuring');
  const parts = [24, 25, 30, 99, 100].map((part) => `measuring, ${part} %`);
  const lines = ['building', 'measuring', ...parts, 'measuring', '', 'measuring'];
  expect(written).toEqual(lines.map((line) => `\r\u001B[K${line}`));
});
