/**
 * `npm run torture`: causes the faults of networks and machines for real clients and a real runtime, and counts
 * calls that are lost or run twice. The scenarios run the processes of `clients/`, `subscribers/` and `abusers/` against the
 * Worker in `objects/`, and judge their records.
 */
import { parseArgs } from 'node:util';
import { randomNumbers } from '../runtime/src/perf/measure/statistics.ts';
import { record, type Result } from './record.ts';
import type { Figures, Scenario } from './scenario.ts';
import { abuse } from './scenarios/abuse.ts';
import { costly } from './scenarios/costly.ts';
import { crowd } from './scenarios/crowd.ts';
import { cursors } from './scenarios/cursors.ts';
import { clocks, cuts } from './scenarios/cuts.ts';
import { followers } from './scenarios/followers.ts';
import { growth } from './scenarios/growth.ts';
import { history } from './scenarios/history.ts';
import { hoards } from './scenarios/hoards.ts';
import { keys } from './scenarios/keys.ts';
import { kills } from './scenarios/kills.ts';
import { relays } from './scenarios/relays.ts';
import { selfTest } from './scenarios/self-test.ts';
import { silence } from './scenarios/silence.ts';
import { streams } from './scenarios/streams.ts';
import { subscribers } from './scenarios/subscribers.ts';

const SCENARIOS: readonly Scenario[] = [
  selfTest,
  kills,
  cuts,
  keys,
  clocks,
  silence,
  subscribers,
  followers,
  history,
  streams,
  relays,
  cursors,
  growth,
  crowd,
  abuse,
  hoards,
  costly,
];

const USAGE = `npm run torture -- [options]

Causes faults under load, and checks that every call is executed exactly once.

  --short           only checks that each scenario works, in seconds in place of minutes
  --scenario NAME   runs only this scenario: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --seed N          the seed of the random numbers. Every run prints its seed
  --record          stores the figures of passed scenarios in torture/results.json, and writes the table of
                    torture/README.md
  --help            prints this text`;

const options = readArguments();
if (options.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  const seed = Number(options.seed ?? Math.floor(Math.random() * 1e6));
  const chosen = SCENARIOS.filter(({ name }) => !options.scenario || name === options.scenario);
  if (chosen.length === 0) fail(`${options.scenario} is not a scenario`);
  const form = options.short ? 'short' : 'long';
  console.log(`seed ${seed}, ${form} form`);
  const results: Result[] = [];
  for (const scenario of chosen) {
    console.log(`\n${scenario.name}: ${scenario.about}`);
    const parts = await runScenario(scenario, seed);
    for (const part of parts) print(part);
    results.push({ scenario, parts });
  }
  const failures = results.flatMap(({ parts }) => parts.flatMap((part) => part.failures));
  if (failures.length > 0) process.exitCode = 1;
  console.log(`\n${failures.length > 0 ? 'FAILED' : 'passed'}: seed ${seed}, ${form} form`);
  if (options.record) {
    const passed = results.filter(({ parts }) => parts.every((part) => part.failures.length === 0));
    await record(passed, SCENARIOS, `seed ${seed}, ${form} form`);
  }
}

/** Runs a scenario. If it throws, it has failed, and the other scenarios still run. */
async function runScenario(scenario: Scenario, seed: number): Promise<Figures[]> {
  const random = randomNumbers(seed);
  const short = Boolean(options.short);
  try {
    return await scenario.run({ short, seed, random, note: showProgress });
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ title: 'ended early', figures: {}, failures: [failure] }];
  } finally {
    showProgress('');
  }
}

function print({ title, figures, failures }: Figures): void {
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  console.log(`  ${title}: ${texts.join(' · ')}`);
  for (const failure of failures) console.log(`    FAILED: ${failure}`);
}

/** Overwrites one line on the terminal. Writes nothing to a file or a pipe. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function fail(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readArguments(): {
  short?: boolean;
  scenario?: string;
  seed?: string;
  record?: boolean;
  help?: boolean;
} {
  const boolean = { type: 'boolean' } as const;
  const string = { type: 'string' } as const;
  try {
    return parseArgs({
      options: { short: boolean, scenario: string, seed: string, record: boolean, help: boolean },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}
