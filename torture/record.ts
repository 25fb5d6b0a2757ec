/** Stores the figures of scenarios in results.json, and writes their summary between the markers of README.md. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { commit, cpu } from '../harness/machine.ts';
import { workerd } from '../harness/runtime.ts';
import { grouped, markdownTable, withPlace } from '../scripts/pages/markdown.mjs';
import type { Figures, Scenario } from './scenario.ts';

const RESULTS = join(import.meta.dirname, 'results.json');
const PAGE = join(import.meta.dirname, 'README.md');

/** The figures that count as faults. */
const FAULTS = ['kills', 'cuts', 'holes', 'half-open', 'faults', 'refusals', 'restored', 'emptied'];
/** The figures that count calls, events of feeds and items of streams. */
const CHECKED = ['calls', 'heard', 'items'];
const MISTAKES = ['lost', 'doubled', 'disordered', 'mixed', 'wrong', 'untrue', 'early alarms'];

export interface Result {
  scenario: Scenario;
  parts: Figures[];
}

/** The last recorded run of a scenario. */
interface Recorded {
  date: string;
  commit: string;
  /** The seed and the form of the run, with which it can be repeated. */
  run: string;
  machine: string;
  parts: Pick<Figures, 'title' | 'figures'>[];
}

/**
 * Replaces the figures of these scenarios, and leaves the figures of other scenarios unchanged.
 *
 * @param scenarios - all scenarios, in the order of the page
 * @param run - the seed and the form of the run
 */
export async function record(
  results: readonly Result[],
  scenarios: readonly Scenario[],
  run: string,
): Promise<void> {
  const kept = existsSync(RESULTS)
    ? (JSON.parse(await readFile(RESULTS, 'utf8')) as Record<string, Recorded>)
    : {};
  const source = {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(['torture/README.md', 'torture/results.json']),
    run,
    machine: machine(),
  };
  for (const { scenario, parts } of results) {
    const figures = parts.map((part) => ({ title: part.title, figures: part.figures }));
    kept[scenario.name] = { ...source, parts: figures };
  }
  const inOrder = scenarios.flatMap(({ name }) => (kept[name] ? [[name, kept[name]]] : []));
  await writeFile(RESULTS, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  const table = tableOf(scenarios, kept);
  const page = await readFile(PAGE, 'utf8');
  await writeFile(PAGE, withPlace(page, 'results', table));
}

/** Returns a table with a row for each scenario. The first scenario has to find its mistakes. */
function tableOf(
  scenarios: readonly Scenario[],
  recorded: Readonly<Record<string, Recorded>>,
): string {
  const head = ['scenario', 'faults and load', 'faults', 'checked', 'mistakes'];
  const rows = scenarios.map(({ name, about }) => {
    const run = recorded[name];
    const checked = [sumOf(run, CHECKED), limitsOf(run)].filter(Boolean).join(', ');
    return [`\`${name}\``, about, sumOf(run, FAULTS), checked, sumOf(run, MISTAKES)];
  });
  return markdownTable([head, ...rows]);
}

/** Returns the sum of figures over the parts of a run, or an empty text if no part has such a figure. */
function sumOf(run: Recorded | undefined, names: readonly string[]): string {
  const found = (run?.parts ?? []).flatMap(({ figures }) =>
    names.map((name) => figures[name]).filter((figure) => typeof figure === 'number'),
  );
  return found.length > 0 ? grouped(found.reduce((sum, figure) => sum + figure, 0)) : '';
}

/** Returns the number of figures with a limit, or an empty text. Only runs that kept all limits are recorded. */
function limitsOf(run: Recorded | undefined): string {
  const limited = (run?.parts ?? [])
    .flatMap(({ figures }) => Object.values(figures))
    .filter((figure) => String(figure).includes('(at most '));
  return limited.length > 0 ? `${limited.length} limits` : '';
}

function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${cpu()}, ${memory}, Node ${process.versions.node}, workerd ${workerd.version}`;
}
