/** Parses and checks the command line. */
import { parseArgs } from 'node:util';
import type { Load } from '../load.ts';
import { emptyCalls, type Workload } from '../workloads.ts';

export const USAGE = `npm run perf -- [options]

Compares this project's RPC with code by hand that makes the same calls, and with Cap'n Web.

  --quick            takes about half a minute on an idle machine, in place of 3 minutes. It measures
                     fewer workloads, with wider intervals
  --only <text>      measures only the workload with this name, or all workloads whose names contain
                     this text. Repeatable
  --all              also measures this RPC without its journal, with binary frames, always awake, and
                     in a class with its own fetch method
  --profile          also shows where the time of one call goes
  --rounds <number>  the number of rounds of each workload, rounded up to an even number. With fewer
                     than 6 rounds, the intervals are too narrow

  --load <method>    calls this method at fixed times, as users do, however long the answers take, and
                     prints how many answers are in time. Repeatable: the methods then take turns
  --clients <number> the number of connections that make the calls of --load. Default 20
  --rate <number>    the number of calls a second, of all clients together. Default 100
  --seconds <number> the seconds for which --load makes calls. Default 10
  --within <number>  the milliseconds within which an answer is in time. Default 100

  --target <runtime> workerd: the bare runtime, as in production (the default);
                     dev: wrangler dev, whose proxy adds latency
  --url <address>    measures a deployed copy, from npx wrangler deploy -c perf/wrangler.jsonc

  --json             prints the result as JSON
  --svg <file>       writes a chart
  --record <text>    adds an entry to PERFORMANCE.md. The text describes the change
  --compare <entry>  shows the differences beyond the noise from an entry of PERFORMANCE.md. The entry is
                     latest, the beginning of its time or commit, or a git ref for the latest entry at
                     this ref
  --check            exits with 1 if this RPC is slower, compared with its floor, than in the entry of
                     --compare, or in the latest entry. It checks the runtime and not the methods,
                     because the floor calls the same methods. It lists the ratios whose intervals are
                     too wide to judge. It also exits with 1 if all intervals are too wide, or if the
                     entry has none of the ratios
  --methods          with --check, also checks the methods: the time of a call, compared with the
                     floor without a method. Compare only runs on one machine
  --help             prints this text`;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const FLAGS = {
  quick: flag,
  all: flag,
  profile: flag,
  json: flag,
  check: flag,
  methods: flag,
  help: flag,
};
const TEXTS = {
  only: { ...text, multiple: true } as const,
  load: { ...text, multiple: true } as const,
  clients: text,
  rate: text,
  seconds: text,
  within: text,
  rounds: text,
  target: text,
  url: text,
  svg: text,
  record: text,
  compare: text,
};

export interface Options extends Record<keyof typeof FLAGS, boolean> {
  workloads: readonly Workload[];
  /** The open load that is measured in place of the workloads. */
  load: Load | undefined;
  rounds: number | undefined;
  target: 'workerd' | 'dev';
  /** The address of a deployed copy, without a slash at its end. */
  url: string | undefined;
  svg: string | undefined;
  /** Description of the change, in one line. */
  record: string | undefined;
  compare: string | undefined;
}

/**
 * @param args - the arguments, without the paths of Node and the program
 * @param workloads - the workloads of the project, from which the arguments choose
 * @throws Error if an argument is wrong; its message describes the problem
 */
export function readOptions(args: readonly string[], workloads: readonly Workload[]): Options {
  const { values } = parseArgs({ args: [...args], options: { ...FLAGS, ...TEXTS } });
  const { only = [], rounds, target = 'workerd', url, load: methods, ...more } = values;
  const { clients, rate, seconds, within, ...others } = more;
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value].flat()) require(String(one).trim(), `--${name} is empty`);
  }
  require(!rounds || /^[1-9]\d{0,5}$/.test(rounds), `--rounds ${rounds}: from 1 to 999999`);
  require(target === 'workerd' || target === 'dev', `--target ${target}: use workerd or dev`);
  require(!url ||
    /^https?:/.test(URL.parse(url)?.protocol ?? ''), `--url ${url}: use an http or https address`);
  require(!url || !values.target, '--url and --target cannot be combined');
  require(!values.check || !values.record, '--check and --record cannot be combined');
  require(!values.methods || values.check, '--methods needs --check');
  require(!values.only || !values.record, '--record measures every workload: remove --only');
  const load = { clients, rate, seconds, within };
  if (!methods) {
    for (const [name, value] of Object.entries(load)) require(!value, `--${name} needs --load`);
  }
  for (const name of methods ? NOT_WITH_LOAD : []) {
    require(!values[name], `--load and --${name} cannot be combined`);
  }
  return {
    ...others,
    load: methods && loadOf(methods, load),
    svg: values.svg,
    workloads: [
      ...chosen(workloads, only, values.quick),
      // Methods are compared with these calls, in this run or in a later run.
      ...(values.methods || values.record ? [emptyCalls] : []),
    ],
    rounds: rounds ? Number(rounds) : undefined,
    target,
    url: url?.replace(/\/+$/, ''),
    record: values.record?.replaceAll(/\s+/g, ' ').trim(),
    compare: values.compare ?? (values.check ? 'latest' : undefined),
  };
}

/** The options that need the workloads. `--load` does not run the workloads. */
const NOT_WITH_LOAD = [
  'quick',
  'only',
  'rounds',
  'profile',
  'svg',
  'record',
  'compare',
  'check',
] as const;

/** The default of each number, and the greatest value that it can have. */
const LOAD = {
  clients: [20, 1000],
  rate: [100, 100_000],
  seconds: [10, 3600],
  within: [100, 60_000],
} as const;

function loadOf(
  methods: readonly string[],
  texts: Readonly<Partial<Record<keyof typeof LOAD, string | undefined>>>,
): Load {
  const numberOf = (name: keyof typeof LOAD): number => {
    const [usual, most] = LOAD[name];
    const value = texts[name];
    if (value === undefined) return usual;
    const number = Number(value);
    const isWhole = name !== 'clients' || Number.isInteger(number);
    require(isWhole && number > 0 && number <= most, `--${name} ${value}: from ${
      name === 'clients' ? 1 : 'more than 0'
    } to ${most}`);
    return number;
  };
  const [clients, rate, seconds, within] = [
    numberOf('clients'),
    numberOf('rate'),
    numberOf('seconds'),
    numberOf('within'),
  ];
  require(rate * seconds <=
    1_000_000, `--rate ${rate} for --seconds ${seconds}: at most 1000000 calls`);
  return { methods, clients, rate, seconds, within };
}

function chosen(
  workloads: readonly Workload[],
  only: readonly string[],
  quick: boolean,
): readonly Workload[] {
  if (only.length === 0) return workloads.filter(({ isLong }) => !quick || !isLong);
  const names = workloads.map(({ name }) => `\n  ${name}`).join('');
  const found = new Set<Workload>();
  for (const part of only) {
    const same = workloads.filter(({ name }) => name === part);
    const some = same.length > 0 ? same : workloads.filter(({ name }) => name.includes(part));
    const problem = `--only ${part}: no workload has this in its name. The workloads are${names}`;
    require(some.length > 0, problem);
    for (const one of some) found.add(one);
  }
  return workloads.filter((one) => found.has(one));
}

function require(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
