/**
 * Compares a project's RPC with code by hand around the same Durable Object. This file is the
 * main program of `npm run perf`. It uses the four files beside it: contenders, workloads, measure and report. A folder
 * beside a file, with the same name, has the parts of that file.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { chartOf } from './report/chart.ts';
import {
  type Change,
  compareFigures,
  differenceOf,
  formatChange,
  formatChanges,
  isAlike,
  judgeAgain,
} from './report/compare.ts';
import { CAPNWEB, type Contender, contendersFor, negotiatedExtensions } from './contenders.ts';
import { measure, messageOf } from './measure.ts';
import { type Options, readOptions, USAGE } from './run/options.ts';
import { formatProfile, type Profile, profile } from './measure/profile.ts';
import { type Entry, findEntry, record, titleOf } from './report/record.ts';
import { formatBusy, formatLeftOut, formatReport } from './report.ts';
import { clearProgress, showProgress } from './run/progress.ts';
import { loadCapnweb, loadTinybench } from './run/optional-packages.ts';
import { type Runtime, startRuntime } from './run/runtime.ts';
import { type Configuration, type Report, summarize } from './measure/summary.ts';
import { countWire } from './measure/wire.ts';
import { type MeasuredMethods } from './called-object.ts';
import { measureLoads } from './run/loads.ts';
import { formatLoad, type LoadReport } from './report/load.ts';
import { emptyCalls, type Workload } from './workloads.ts';

/** The options of `runPerf`: the project, and what to measure. */
export interface PerfOptions extends MeasuredMethods {
  /**
   * Path of the project's folder. The folder has wrangler's configuration, the configuration of the measured Worker in
   * `perf/wrangler.jsonc`, and PERFORMANCE.md.
   */
  readonly project: string;
  /** The workloads, in the order of the report. */
  readonly workloads: readonly Workload[];
  /** The command line, without the paths of Node and the program. Default: the command line of this process. */
  readonly commandLine?: readonly string[] | undefined;
}

/** One run of the program. */
interface Run {
  readonly project: string;
  readonly measured: MeasuredMethods;
  readonly options: Options;
  readonly chosen: readonly Contender[];
}

/**
 * The median lies between the least and the greatest of six samples with a probability of 97 %. With
 * fewer samples the probability is below 95 %.
 */
const FEWEST_ROUNDS = 6;
/** The options of `--quick`: `warmUp` in pairs of rounds, `duration` in milliseconds. */
const QUICK = { warmUp: 0, duration: 18_000, fewestRounds: FEWEST_ROUNDS };
const FULL = { ...QUICK, warmUp: 1, duration: 150_000 };
const TARGETS = {
  workerd: 'workerd, the bare Workers runtime',
  dev: 'wrangler dev, whose proxy adds latency to every answer',
};

/**
 * Runs the performance test, with the options of the command line, which `--help` lists. It sets `process.exitCode`: 2
 * for a wrong command line, 1 if something failed or is slower than before. See `PerfOptions` for the parameters.
 *
 * @example
 * await runPerf({
 *   project: join(import.meta.dirname, '..'),
 *   argumentsOf: (method, index) => (method === 'order' ? [`order-${index}`, 'tea'] : []),
 *   check: () => ({ method, answer }) => method !== 'order' || answer === 'ok',
 *   workloads: standardWorkloads({ orders: 'order', reads: 'list' }),
 * });
 */
export async function runPerf({
  project,
  workloads,
  commandLine = process.argv.slice(2),
  ...measured
}: PerfOptions): Promise<void> {
  let options: Options;
  try {
    options = readOptions(commandLine, workloads);
  } catch (error) {
    console.error(`perf: ${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (options.help) {
    console.log(USAGE);
    return;
  }
  await main(resolve(project), measured, options);
}

async function main(project: string, measured: MeasuredMethods, options: Options): Promise<void> {
  let runtime: Runtime | undefined;
  try {
    const all = contendersFor(await loadCapnweb());
    const chosen = all.filter(({ isExtra }) => options.all || !isExtra);
    const run: Run = { project, measured, options, chosen };
    // These errors are found before the measurement, which takes minutes.
    const reference = options.compare ? findEntry(project, options.compare) : undefined;
    if (options.methods && !reference?.figures.some(({ toEmpty }) => toEmpty)) {
      throw new Error('The entry has no figures for methods: add one with --record');
    }
    if (options.svg) appendFileSync(options.svg, '');
    const tinybench = options.profile ? await loadTinybench() : undefined;
    if (!options.url) showProgress('building the Worker and starting the runtime');
    runtime = options.url ? deployed(options.url) : await startRuntime(options.target, project);
    const configuration = await configurationOf(runtime, options);
    const difference = reference && differenceOf(reference.configuration, configuration);
    if (options.check && difference)
      throw new Error(`These runs cannot be compared: ${difference}`);
    const time = new Date().toISOString();
    if (options.load) {
      const under = await measureLoads(runtime, chosen, options.load, measured);
      clearProgress();
      const report: LoadReport = { time, configuration, load: options.load, ...under };
      console.log(options.json ? JSON.stringify(report, null, 2) : formatLoad(report));
      return;
    }
    const figures = await measureOn(run, runtime.url, options.workloads);
    const able = chosen.filter(({ name }) => figures.results.some((one) => one.contender === name));
    showProgress('counting frames and bytes');
    const methods = new Set(options.workloads.flatMap((one) => one.methods));
    const wire = await countWire(runtime.url, able, methods, measured);
    const who = able.map(({ name, about }) => ({ name, about }));
    const report = { time, configuration, contenders: who, rival: CAPNWEB, ...figures, wire };
    if (tinybench) showProgress('timing the steps of a call');
    const profiled = tinybench && (await profile(tinybench));
    clearProgress();
    show(options, report, reference, profiled);
    if (options.svg) writeFileSync(options.svg, chartOf(report));
    if (options.record) record(project, report, options.record);
    const written = [options.svg, options.record && 'PERFORMANCE.md'].filter(Boolean).join(', ');
    if (written && !options.json) console.log(`\nWritten: ${written}`);
    if (options.check && reference) await check(run, runtime.url, report, reference);
  } catch (error) {
    clearProgress();
    // A signal sets the exit code itself, and causes errors that need no message.
    if (process.exitCode === undefined) {
      console.error(`perf: ${messageOf(error)}`);
      process.exitCode = 1;
    }
  } finally {
    await runtime?.stop();
  }
}

function deployed(url: string): Runtime {
  const unknown = 'as deployed';
  const stop = async (): Promise<void> => {};
  return { url, workerd: unknown, compatibilityDate: unknown, compatibilityFlags: [], stop };
}

async function configurationOf(runtime: Runtime, options: Options): Promise<Configuration> {
  const { url, workerd, compatibilityDate, compatibilityFlags } = runtime;
  return {
    target: options.url ?? TARGETS[options.target],
    node: process.versions.node,
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown CPU'} (${availableParallelism()} cores)`,
    workerd,
    compatibilityDate,
    compatibilityFlags,
    webSocketCompression: (await negotiatedExtensions(url)) || 'off',
  };
}

async function measureOn(
  { options, chosen, measured }: Run,
  url: string,
  workloads: readonly Workload[],
): Promise<Pick<Report, 'results' | 'leftOut'>> {
  showProgress('checking answers and warming up');
  const { rounds, quick } = options;
  const series = await measure(url, chosen, workloads, {
    ...measured,
    ...(quick ? QUICK : FULL),
    ...(rounds && { warmUp: 0, duration: 0, fewestRounds: rounds }),
    onProgress: (part) => showProgress('measuring', part),
  });
  return summarize(series, CAPNWEB);
}

function show(options: Options, report: Report, reference?: Entry, profiled?: Profile): void {
  const changes = reference && compareFigures(reference.figures, report.results);
  if (options.json) {
    console.log(JSON.stringify({ ...report, changes, profile: profiled }, null, 2));
    const busy = formatBusy(report);
    if (busy) console.error(`perf: ${busy}`);
    return;
  }
  console.log(formatReport(report));
  if (profiled) console.log(`\n${formatProfile(profiled, report.results)}`);
  if (!changes) return;
  const difference = differenceOf(reference.configuration, report.configuration);
  console.log(`\nCompared with ${titleOf(reference)}`);
  if (difference) console.log(`Measured differently: ${difference}`);
  console.log(formatChanges(changes).join('\n'));
}

/**
 * Reports the ratios that are slower than in the entry, and the ratios that cannot be judged. Only workloads with a
 * slower or unclear ratio are measured again.
 */
async function check(run: Run, url: string, report: Report, reference: Entry): Promise<void> {
  const { options } = run;
  const measures = options.methods ? (['ratio', 'toEmpty'] as const) : (['ratio'] as const);
  const changesIn = ({ results }: Pick<Report, 'results'>): Change[] =>
    measures
      .flatMap((of) => compareFigures(reference.figures, results, of))
      .filter(({ role }) => role === undefined);
  const changes = changesIn(report);
  const suspects = changes.filter(({ verdict }) => verdict === 'slower' || verdict === 'unclear');
  let judged: Change[] = [];
  if (suspects.length > 0) {
    const again = options.workloads.filter(
      (one) => one === emptyCalls || suspects.some(({ workload }) => workload === one.name),
    );
    judged = judgeAgain(suspects, changesIn(await measureOn(run, url, again)));
    clearProgress();
  }
  const slower = judged.filter(({ verdict }) => verdict === 'slower');
  const unclear = judged.filter(({ verdict }) => verdict === 'unclear');
  const failing = report.leftOut.filter((one) =>
    reference.figures.some((figure) => isAlike(figure, one)),
  );
  // A check that judges nothing must not pass: the entry may be older than the workloads.
  const isCompared = measures.every((of) => changes.some((one) => one.measure === of));
  if (!isCompared && failing.length === 0) {
    throw new Error(
      'nothing was compared: the entry has none of the ratios that this run has measured',
    );
  }
  if (unclear.length > 0) {
    const count = `${unclear.length} of ${changes.length} ratios could not be judged`;
    console.error(`perf: ${count}: intervals are too wide, or two measurements disagree`);
    console.error(unclear.map(formatChange).join('\n'));
    console.error(
      'Run it again when the machine is idle. If the entry is unclear, record a new one.',
    );
    // A check that can judge no ratio must not pass either.
    if (unclear.length === changes.length) process.exitCode = 1;
  }
  if (slower.length + failing.length === 0) return;
  console.error(`perf: beyond the noise, this is worse than ${titleOf(reference)}`);
  if (slower.length > 0) console.error(formatChanges(slower).join('\n'));
  if (failing.length > 0) console.error(formatLeftOut(failing).join('\n'));
  console.error('Find the cause. If the change is intended, add a new entry with --record.');
  process.exitCode = 1;
}
