/** The command line: what it may say, and what is wrong with what it says. */
import { parseArgs } from 'node:util';
import { emptyCalls, type Workload, workloads } from '../workloads.ts';

export const USAGE = `npm run perf -- [options]

Measures this project's RPC against the same exchange written by hand, and against Cap'n Web.

  --quick            under 30 seconds instead of 3 minutes: fewer workloads, wider intervals
  --only <text>      only workloads with this in their name
  --all              this RPC without its journal, and always awake, too
  --profile          where the time of one call goes, too
  --rounds <number>  so many rounds of each workload, made even; of fewer than 6 the
                     intervals are too narrow

  --target <where>   workerd: the bare runtime, which is production's (the default);
                     dev: wrangler dev, whose proxy adds latency
  --url <address>    a deployed copy, from npx wrangler deploy -c perf/wrangler.jsonc

  --json             the result as JSON
  --svg <file>       a chart
  --record <text>    an entry in PERFORMANCE.md; the text says what has changed
  --compare <entry>  what differs beyond the noise from an entry of PERFORMANCE.md: latest, the
                     beginning of its time or commit, or a git ref, for the latest entry there
  --check            exit code 1 when this RPC is slower, relative to its floor, than that entry
                     says (without --compare: the latest). It watches the runtime: the floor calls
                     the same methods, so one that is slower is slower on both sides
  --methods          with --check, the methods too: what a call takes, relative to a call of the
                     floor that runs no method. Compare runs of one machine
  --help             this text`;

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
  only: text,
  rounds: text,
  target: text,
  url: text,
  svg: text,
  record: text,
  compare: text,
};

export interface Options extends Record<keyof typeof FLAGS, boolean> {
  workloads: readonly Workload[];
  rounds: number | undefined;
  target: 'workerd' | 'dev';
  /** Without a slash at its end. */
  url: string | undefined;
  svg: string | undefined;
  /** In one line. */
  record: string | undefined;
  compare: string | undefined;
}

/**
 * @param args - without Node and the program
 * @throws Error when they are wrong; the message says what
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: { ...FLAGS, ...TEXTS } });
  const { only, rounds, target = 'workerd', url, ...others } = values;
  for (const [name, value] of Object.entries(values)) {
    require(value !== '' && String(value).trim(), `--${name} is empty`);
  }
  require(!rounds || /^[1-9]\d{0,5}$/.test(rounds), `--rounds ${rounds}: from 1 to 999999`);
  require(target === 'workerd' || target === 'dev', `--target ${target}: neither workerd nor dev`);
  require(!url || /^https?:/.test(URL.parse(url)?.protocol ?? ''), `--url ${url}: no web address`);
  require(!url || !values.target, '--url and --target exclude each other');
  require(!values.check || !values.record, '--check and --record exclude each other');
  require(!values.methods || values.check, '--methods needs --check');
  require(!only || !values.record, '--record is of every workload: leave out --only');
  return {
    ...others,
    svg: values.svg,
    workloads: [
      ...chosen(only, values.quick),
      // What methods are judged by, now or when this run is the measure.
      ...(values.methods || values.record ? [emptyCalls] : []),
    ],
    rounds: rounds ? Number(rounds) : undefined,
    target,
    url: url?.replace(/\/+$/, ''),
    record: values.record?.replaceAll(/\s+/g, ' ').trim(),
    compare: values.compare ?? (values.check ? 'latest' : undefined),
  };
}

function chosen(only: string | undefined, quick: boolean): readonly Workload[] {
  if (!only) return workloads.filter(({ isLong }) => !quick || !isLong);
  const found = workloads.filter(({ name }) => name.includes(only));
  const names = workloads.map(({ name }) => `\n  ${name}`);
  require(found.length >
    0, `--only ${only}: it is in no workload's name. They are${names.join('')}`);
  return found;
}

function require(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
