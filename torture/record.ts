/** Writes the figures of a run into docs/reliability.md, between its markers. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figures, Scenario } from './scenario.ts';

const REPOSITORY = join(import.meta.dirname, '..');
const PAGE = join(REPOSITORY, 'docs/reliability.md');
const MARKERS = /(<!-- figures -->\n)[^]*(<!-- \/figures -->)/;

export interface Result {
  scenario: Scenario;
  parts: Figures[];
}

/** @param command - by which the same run can be made again */
export async function record(results: readonly Result[], command: string): Promise<void> {
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${machine()}.`,
    `Again: \`${command}\`.`,
    ...results.map(
      ({ scenario, parts }) =>
        `**${scenario.name}**: ${scenario.about}\n\n${parts.map(line).join('\n')}`,
    ),
  ];
  const page = await readFile(PAGE, 'utf8');
  await writeFile(PAGE, page.replace(MARKERS, `$1\n${lines.join('\n\n')}\n\n$2`));
}

function line({ title, figures }: Figures): string {
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  return `- ${title}: ${texts.join(' · ')}`;
}

/** With a mark when the files are not those of the commit. */
function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', 'template', 'torture');
  return `${git('rev-parse', '--short', 'HEAD')}${changes ? ' with changes' : ''}`;
}

function machine(): string {
  const requireAsTemplate = createRequire(join(REPOSITORY, 'template/package.json'));
  const workerd = createRequire(requireAsTemplate.resolve('wrangler/package.json'))('workerd');
  const cpu = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() || 'an unknown CPU'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${cpu}, ${memory}, Node ${process.versions.node}, workerd ${workerd.version}`;
}
