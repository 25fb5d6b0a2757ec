/**
 * `npm run perf`: measures this project's RPC against the same exchange written by hand around the same
 * Durable Object. This file is the main program. It uses the four files beside it: contenders, workloads,
 * measure and report. The helpers of a file are in the folder with its name.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { chartOf } from './report/chart.ts';
import {
  type Change,
  compareFigures,
  differenceOf,
  formatChange,
  formatChanges,
  isAlike,
  judgedAgain,
} from './report/compare.ts';
import { CAPNWEB, contenders, negotiatedExtensions } from './contenders.ts';
import { measure } from './measure.ts';
import { type Options, readOptions, USAGE } from './run/options.ts';
import { formatProfile, type Profile, profile } from './measure/profile.ts';
import { type Entry, findEntry, record, titleOf } from './report/record.ts';
import { formatBusy, formatLeftOut, formatReport } from './report.ts';
import { clearProgress, showProgress } from './run/progress.ts';
import { type Runtime, startRuntime } from './run/runtime.ts';
import { type Configuration, type Report, summarize } from './measure/summary.ts';
import { countWire } from './measure/wire.ts';
import { emptyCalls, type Workload } from './workloads.ts';

/**
 * The median lies between the least and the greatest of six samples with a probability of 97 %. With
 * fewer samples the probability is below 95 %.
 */
const FEWEST_ROUNDS = 6;
/** `warmUp` in pairs of rounds, `duration` in milliseconds. */
const QUICK = { warmUp: 0, duration: 18_000, fewestRounds: FEWEST_ROUNDS };
const FULL = { ...QUICK, warmUp: 1, duration: 150_000 };
const TARGETS = {
  workerd: 'workerd, the bare Workers runtime',
  dev: 'wrangler dev, whose proxy adds latency to every answer',
};

const options = readArguments();
const chosen = contenders.filter(({ isExtra }) => options.all || !isExtra);
if (options.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  let runtime: Runtime | undefined;
  try {
    // These errors are found before the measurement, which takes minutes.
    const reference = options.compare ? findEntry(options.compare) : undefined;
    if (options.methods && !reference?.figures.some(({ toEmpty }) => toEmpty)) {
      throw new Error('The entry has no figures for methods: add one with --record');
    }
    if (options.svg) appendFileSync(options.svg, '');
    if (!options.url) showProgress('building the Worker and starting the runtime');
    runtime = options.url ? deployed(options.url) : await startRuntime(options.target);
    const configuration = await configurationOf(runtime);
    const difference = reference && differenceOf(reference.configuration, configuration);
    if (options.check && difference)
      throw new Error(`These runs cannot be compared: ${difference}`);
    const time = new Date().toISOString();
    const measured = await measureOn(runtime.url, options.workloads);
    const able = chosen.filter(({ name }) =>
      measured.results.some((one) => one.contender === name),
    );
    showProgress('counting frames and bytes');
    const wire = await countWire(runtime.url, able);
    const who = able.map(({ name, about }) => ({ name, about }));
    const report = { time, configuration, contenders: who, rival: CAPNWEB, ...measured, wire };
    if (options.profile) showProgress('timing the steps of a call');
    const profiled = options.profile ? await profile() : undefined;
    clearProgress();
    show(report, reference, profiled);
    if (options.svg) writeFileSync(options.svg, chartOf(report));
    if (options.record) record(report, options.record);
    const written = [options.svg, options.record && 'PERFORMANCE.md'].filter(Boolean).join(', ');
    if (written && !options.json) console.log(`\nWritten: ${written}`);
    if (options.check && reference) await check(runtime.url, report, reference);
  } catch (error) {
    clearProgress();
    // A signal sets the exit code itself, and causes errors that need no message.
    if (process.exitCode === undefined) {
      console.error(`perf: ${error instanceof Error ? error.message : error}`);
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

async function configurationOf(runtime: Runtime): Promise<Configuration> {
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
  url: string,
  workloads: readonly Workload[],
): Promise<Pick<Report, 'results' | 'leftOut'>> {
  showProgress('checking answers and warming up');
  const { rounds, quick } = options;
  const series = await measure(url, chosen, workloads, {
    ...(quick ? QUICK : FULL),
    ...(rounds && { warmUp: 0, duration: 0, fewestRounds: rounds }),
    onProgress: (part) => showProgress('measuring', part),
  });
  return summarize(series, CAPNWEB);
}

function show(report: Report, reference?: Entry, profiled?: Profile): void {
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
 * Reports what is slower than in the entry, and what cannot be judged. Only what is slower or unclear in the
 * first measurement is measured again.
 */
async function check(url: string, report: Report, reference: Entry): Promise<void> {
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
    judged = judgedAgain(suspects, changesIn(await measureOn(url, again)));
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
    throw new Error('nothing was compared: the entry has no ratio that was measured now');
  }
  if (unclear.length > 0) {
    const count = `${unclear.length} of ${changes.length} ratios could not be judged`;
    console.error(`perf: ${count}: intervals are too wide, or two measurements disagree`);
    console.error(unclear.map(formatChange).join('\n'));
    console.error(
      'Run it again when the machine is idle. If the entry is unclear, record a new one.',
    );
    // The same holds if it cannot judge any.
    if (unclear.length === changes.length) process.exitCode = 1;
  }
  if (slower.length + failing.length === 0) return;
  console.error(`perf: beyond the noise, this is worse than ${titleOf(reference)}`);
  if (slower.length > 0) console.error(formatChanges(slower).join('\n'));
  if (failing.length > 0) console.error(formatLeftOut(failing).join('\n'));
  console.error('Find the cause. If the change is intended, add a new entry with --record.');
  process.exitCode = 1;
}

function readArguments(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`perf: ${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
