/** Collects the debug output during each test of a file, in place of the console. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Call this function once in a file. The list is emptied before each test. */
export function consoleLines(): readonly string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return lines;
}
