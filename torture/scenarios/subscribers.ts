/**
 * Subscribers follow two feeds and a live value of an object that eight processes call. Every kind of
 * fault affects them. The events of each subscriber are compared with the object's records of its announcements.
 */
import { sleep } from '../../harness/waiting.mjs';
import type { RpcClientOptions } from '../../runtime/src/client.ts';
import { Audience } from '../subscribers/audience.ts';
import { blackHole, cutLanes, halfOpen, killAgain, watchfulness } from '../faults.ts';
import { Fleet } from '../clients/fleet.ts';
import type { Hearing } from '../subscribers/hearing.ts';
import { type Allowed, type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import type { Habit } from '../subscribers/subscriber-process.ts';
import { feedCosts } from './feed-costs.ts';

const PRODUCERS = 8;
const HABITS: readonly Habit[] = [
  'steady',
  'steady',
  'steady',
  'steady',
  'slow',
  'slow',
  'stalled',
  'held',
];
/** The settings of the short form. */
const FEW_PRODUCERS = 3;
const FEW_HABITS: readonly Habit[] = ['steady', 'slow', 'stalled', 'held'];

/** The maximum pause between rounds of a producer, in milliseconds. It limits the events, which eight subscribers get. */
const PAUSE = 60;
/** The maximum time between two faults, in milliseconds. */
const LONG_BREATH = 2_500;
const SHORT_BREATH = 400;

export const subscribers: Scenario = {
  name: 'subscribers',
  about: 'feeds and live values, through cuts, silences and kills',
  async run(context) {
    return [
      await listen(context, { title: 'kills', fault: kill, allowed: { interruptions: true } }),
      await listen(context, { title: 'cuts, and a subscriber that never reads', fault: cut }),
      await listen(context, {
        title: 'black holes and half-open sockets',
        fault: fallSilent,
        options: watchfulness(context.short),
      }),
      ...(await feedCosts(context)),
    ];
  },
};

interface Part {
  title: string;
  /** Causes faults. Resolves to their number. */
  fault: (fleet: Fleet, audience: Audience, context: Context) => Promise<number>;
  /** The allowed errors of the producers' calls. */
  allowed?: Allowed;
  /** The options of the subscribers. */
  options?: RpcClientOptions;
}

async function listen(
  context: Context,
  { title, fault, allowed, options = {} }: Part,
): Promise<Figures> {
  const { short, seed, note } = context;
  const lanes = short ? FEW_PRODUCERS : PRODUCERS;
  const habits = short ? FEW_HABITS : HABITS;
  await using fleet = await Fleet.start({ lanes, seed, binding: 'ANNOUNCER', pause: PAUSE });
  await using audience = await Audience.gather(fleet, { habits, seed, options });
  await fleet.work();
  const faults = await fault(fleet, audience, context);
  await sleep(short ? SHORT_BREATH : LONG_BREATH);
  note(`${title}: waiting for the last announcement`);
  const reports = await fleet.rest();
  const calls = reportOf(await fleet.verdict(reports), allowed);
  const { log, hearings, recovery } = await audience.verdict();
  return {
    title,
    figures: {
      faults,
      calls: calls.figures['calls'] ?? 0,
      announced: log.length,
      ...sumOf(hearings),
      ...recovery,
      ...beside(fleet.recovery(reports)),
    },
    failures: [...calls.failures, ...failuresOf(hearings, audience)],
  };
}

async function kill(
  { server, lanes }: Fleet,
  { seats }: Audience,
  { short, random, note }: Context,
): Promise<number> {
  const most = { total: short ? 3 : 20, maxLife: short ? SHORT_BREATH : LONG_BREATH };
  await killAgain(server, [...lanes, ...seats], most, random, (left) =>
    note(`${left} kills to go`),
  );
  return server.kills;
}

/** Cuts the subscribers' connections, while one subscriber receives nothing. */
async function cut(
  _: Fleet,
  { seats }: Audience,
  { short, random, note }: Context,
): Promise<number> {
  const held = seats.filter(({ habit }) => habit === 'held');
  for (const { proxy } of held) proxy.silence('down');
  // A subscriber that takes no events sends nothing, so its connection cannot be cut.
  const victims = seats.filter(({ habit }) => habit === 'steady' || habit === 'slow');
  const { count, stuck } = await cutLanes(victims, short ? 25 : 500, random, (left) =>
    note(`${left} cuts to go`),
  );
  for (const { proxy } of held) proxy.resume();
  if (stuck > 0) throw new Error(`${stuck} subscribers sent no more data after a cut`);
  return count;
}

async function fallSilent(
  _: Fleet,
  audience: Audience,
  { short, random, note }: Context,
): Promise<number> {
  const rounds = short ? 2 : 12;
  // The subscriber without a heartbeat does not notice a silence.
  const victims = audience.seats.filter(({ habit }) => habit !== 'held');
  for (let round = 0; round < rounds; round++) {
    note(`${2 * (rounds - round)} silences to go`);
    await sleep(random() * SHORT_BREATH);
    await blackHole(victims, round);
    await sleep(random() * SHORT_BREATH);
    await halfOpen(victims, round);
  }
  return 2 * rounds;
}

/** Returns the recovery of the producers, for comparison. It is empty if only subscribers have faults. */
function beside(recovery: Figures['figures']): Figures['figures'] {
  return Object.fromEntries(
    Object.entries(recovery).map(([name, value]) => [`calls ${name}`, value]),
  );
}

const COUNTS = [
  'heard',
  'lost',
  'doubled',
  'disordered',
  'untrue',
  'wrong',
  'values',
  'snapshots',
] as const;

/** Returns the sums of all subscribers. */
function sumOf(hearings: readonly Hearing[]): Record<string, number> {
  const sums = COUNTS.map((name) => [name, hearings.reduce((sum, one) => sum + one[name], 0)]);
  return Object.fromEntries(sums);
}

function failuresOf(hearings: readonly Hearing[], { seats }: Audience): string[] {
  return hearings.flatMap((hearing, index) => {
    const who = `subscriber ${index} (${seats[index]?.habit})`;
    const problems = (['lost', 'doubled', 'disordered', 'untrue', 'wrong'] as const)
      .filter((name) => hearing[name] > 0)
      .map((name) => `${who}: ${hearing[name]} ${name}`);
    if (hearing.heard === 0) problems.push(`${who} received no event`);
    return [...problems, ...hearing.errors.map((error) => `${who} ended with ${error}`)];
  });
}
