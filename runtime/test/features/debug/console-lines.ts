/** What debug output prints during each test of a file, instead of the console. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Call it once in a file. The list is emptied before each test. */
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
