/** Writes the figures of scenarios into docs/reliability.md, between its markers. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figures, Scenario } from './scenario.ts';

const REPOSITORY = join(import.meta.dirname, '..');
const PAGE = join(REPOSITORY, 'docs/reliability.md');
const MARKERS = /(<!-- figures -->\n)([^]*)(<!-- \/figures -->)/;

export interface Result {
  scenario: Scenario;
  parts: Figures[];
}

/**
 * Replaces the figures of these scenarios on the page, and leaves the others unchanged.
 *
 * @param order - the names of all scenarios, in the order of the page
 * @param how - seed and form of the run, so that it can be repeated
 */
export async function record(
  results: readonly Result[],
  order: readonly string[],
  how: string,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [, begin, section = '', end] = MARKERS.exec(page) ?? [];
  const blocks = new Map(
    section.split(/^(?=\*\*)/m).map((block) => [/^\*\*([^*]+)/.exec(block)?.[1], block]),
  );
  const source = `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${how}; ${machine()}`;
  for (const { scenario, parts } of results) {
    const { name, about } = scenario;
    const lines = parts.map(line).join('\n');
    blocks.set(name, `**${name}**: ${about}\n(${source})\n\n${lines}\n\n`);
  }
  const texts = order.map((name) => blocks.get(name) ?? '').join('');
  await writeFile(
    PAGE,
    page.replace(MARKERS, () => `${begin}\n${texts}${end}`),
  );
}

function line({ title, figures }: Figures): string {
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  return `- ${title}: ${texts.join(' · ')}`;
}

/** The current commit, with a mark if files differ from it. */
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
