/**
 * `npm run perf`: measures this project's RPC on this machine, against a WebSocket exchange written
 * by hand around the same Durable Object. This file is the whole program; each step has a file.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { contenders, negotiatedExtensions } from './contenders.ts';
import { measure } from './measure.ts';
import { type Configuration, formatReport, summarize } from './report.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { workloads } from './workloads.ts';

const USAGE = `npm run perf -- [options]

Measures this project's RPC in the bare Workers runtime, against a WebSocket written by hand.

  --quick   under 30 seconds instead of 180; fewer workloads, wider intervals
  --json    the result as JSON
  --help    this text`;

/** Rounds, and milliseconds. */
const QUICK = { warmUp: 1, duration: 10_000, fewestRounds: 4 };
const FULL = { warmUp: 1, duration: 120_000 };

const { quick, json, help } = readArguments();
if (help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  let runtime: Runtime | undefined;
  try {
    showProgress('building and starting the runtime');
    runtime = await startRuntime();
    const configuration = await configurationOf(runtime);
    showProgress('checking answers and warming up');
    const chosenContenders = contenders.filter(({ isExtra }) => !isExtra);
    const chosenWorkloads = workloads.filter(({ isLong }) => !quick || !isLong);
    const series = await measure(runtime.url, chosenContenders, chosenWorkloads, {
      ...(quick ? QUICK : FULL),
      onProgress: (part) => showProgress(`measuring, ${Math.round(part * 100)} %`),
    });
    showProgress('');
    const report = { configuration, results: summarize(series) };
    console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
  } catch (error) {
    showProgress('');
    // A signal has set its own exit code, and what failed then failed because of it.
    if (process.exitCode === undefined) {
      console.error(`perf: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  } finally {
    await runtime?.stop();
  }
}

async function configurationOf(runtime: Runtime): Promise<Configuration> {
  return {
    node: process.versions.node,
    workerd: runtime.workerd,
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown CPU'} (${availableParallelism()} cores)`,
    compatibilityDate: runtime.compatibilityDate,
    compatibilityFlags: runtime.compatibilityFlags,
    webSocketCompression: (await negotiatedExtensions(runtime.url)) || 'off',
  };
}

/** One line that rewrites itself, for people; a log or a pipe gets none. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function readArguments(): { quick?: boolean; json?: boolean; help?: boolean } {
  const boolean = { type: 'boolean' } as const;
  try {
    return parseArgs({ options: { quick: boolean, json: boolean, help: boolean } }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
