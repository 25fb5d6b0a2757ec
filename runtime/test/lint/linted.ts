/** Runs the template's lint rules with the template's configuration in the real linter. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const CONFIG = resolve(import.meta.dirname, '../../../template/.oxlintrc.json');
export const PLUGIN = resolve(import.meta.dirname, '../../src/lint/index.js');
export const OXLINT = resolve(import.meta.dirname, '../../../node_modules/oxlint/bin/oxlint');

/** Ends a rule that never ends. A test cannot time out while it waits for a process. */
const PATIENCE = { timeout: 120_000, killSignal: 'SIGKILL' } as const;

export interface Report {
  rule: string;
  message: string;
  severity: 'error' | 'warning';
  /** The number of the line, from 1. */
  line: number;
}

interface Diagnostic {
  message: string;
  code: string;
  severity: 'error' | 'warning';
  filename: string;
  labels: { span: { line: number } }[];
}

/**
 * Returns the reports of the durable-object rules in folders, by path from the first folder. Files
 * without reports are left out.
 */
export function lint(folder: string, ...others: string[]): Map<string, Report[]> {
  const reports = new Map<string, Report[]>();
  for (const { code, filename, labels, message, severity } of diagnose(folder, others)) {
    const rule = /^durable-object\((.*)\)$/.exec(code)?.[1];
    if (!rule) continue;
    const path = relative(folder, resolve(folder, filename));
    const line = labels[0]?.span.line ?? 0;
    reports.set(path, [...(reports.get(path) ?? []), { rule, message, severity, line }]);
  }
  for (const found of reports.values()) found.sort((a, b) => a.line - b.line);
  return reports;
}

/** Returns the reports for files that are given as text by path. */
export function lintTexts(files: Iterable<[path: string, text: string]>): Map<string, Report[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lint-test-'));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return lint(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the text of a module after the linter's fixes. */
export function fixed(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lint-test-'));
  try {
    const path = join(folder, 'module.ts');
    writeFileSync(path, text);
    lint(folder, '--fix');
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function diagnose(folder: string, others: string[]): Diagnostic[] {
  const args = [OXLINT, '-c', CONFIG, '--format', 'json', '.', ...others];
  let output: string;
  try {
    output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', ...PATIENCE });
  } catch (error) {
    const { signal, stdout } = error as { signal: string | null; stdout: string };
    if (signal) throw error;
    // The linter exits with 1 if it has reports.
    output = stdout;
  }
  const { diagnostics, number_of_files: files } = JSON.parse(output) as {
    diagnostics: Diagnostic[];
    number_of_files: number;
  };
  // An ignored folder, or a rule that throws, must not look like a folder without reports.
  if (files === 0) throw new Error(`oxlint read no file in ${folder}`);
  const failure = diagnostics.find(({ message }) => message.startsWith('Error running JS plugin'));
  if (failure) throw new Error(failure.message);
  return diagnostics;
}
