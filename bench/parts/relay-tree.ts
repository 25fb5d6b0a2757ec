/**
 * Simulates what cannot run on one machine: a room with relays of relays in three regions and a million readers, where
 * objects restart and connections break. It tells how long an event takes to a reader, and what a month costs. What it
 * assumes is in `ASSUMPTIONS`, and nowhere else.
 */
import { percentile, randomNumbers } from '../../runtime/src/perf/measure/statistics.ts';
import type { PartOptions } from '../part.ts';
import type { Row } from '../results/rows.ts';

/** A number, its unit, and where it comes from. */
type Assumption = readonly [value: number, unit: string, source: string];

const ROUND_TRIPS = 'Microsoft, Azure network round-trip latency statistics, rounded';
const PRICES = 'developers.cloudflare.com/durable-objects/platform/pricing';
const OURS = 'our bench';

const ASSUMPTIONS = {
  readersPerRelay: [1_000, 'readers', 'chosen: 0.4 of a thread at ten events a second'],
  relays: [1_000, 'relays', 'chosen'],
  toAmerica: [80, 'ms, there and back, Europe to North America', ROUND_TRIPS],
  toAsia: [160, 'ms, there and back, Europe to South-East Asia', ROUND_TRIPS],
  inRegion: [10, 'ms, there and back, between two objects of a region', ROUND_TRIPS],
  toReader: [30, 'ms, there and back, from a reader to its region: the median', 'assumed'],
  spread: [0.5, 'standard deviation of the logarithm of that', 'assumed'],
  jitter: [0.1, 'the same, between objects', 'assumed'],
  send: [40, 'µs of CPU to send an event to one reader', `${OURS}, \`broadcasts\` and \`relays\``],
  forward: [1, 'ms in a relay before it sends', `${OURS}, \`relays\``],
  restarts: [1, 'restarts of an object in a day: deployments, moves, crashes', 'assumed'],
  back: [
    1_500,
    'ms until clients are back after a restart: the median',
    'the first attempts of a client',
  ],
  lost: [2, 'broken connections of a reader in a day', 'assumed'],
  awake: [0.128, 'GB of an object that is awake', PRICES],
  duration: [12.5, '$ for a million GB-s', PRICES],
  requests: [0.15, '$ for a million requests, or 20 million messages to an object', PRICES],
  window: [
    64,
    'events sent ahead; a reader acknowledges half of them at a time',
    'the default of a feed',
  ],
} as const satisfies Record<string, Assumption>;

const [A, DAY, MONTH] = [ASSUMPTIONS, 86_400_000, 30 * 86_400];

/** Milliseconds to the regions, one way, and their part of the readers. */
const REGIONS = [0, A.toAmerica[0] / 2, A.toAsia[0] / 2];

/** Events that are followed to some readers each. */
const EVENTS = 20_000;
const SAMPLE = 20;

type Random = () => number;

/** When a node is away: milliseconds of a day at which it restarts, and at which its clients are back. */
class Node {
  readonly #away: (readonly [from: number, to: number])[];

  constructor(random: Random, restarts: number) {
    const count = poisson(restarts, random);
    this.#away = Array.from({ length: count }, () => {
      const from = random() * DAY;
      return [from, from + A.back[0] * logNormal(0.5, random)] as const;
    });
  }

  /** When an event that arrives at a time can go on. */
  after(time: number): number {
    const away = this.#away.find(([from, to]) => time >= from && time < to);
    return away ? away[1] : time;
  }
}

export function measureRelayTree({ isQuick }: PartOptions): Row[] {
  const random = randomNumbers(1);
  const room = new Node(random, A.restarts[0]);
  const hubs = REGIONS.map(() => new Node(random, A.restarts[0]));
  const relays = Array.from({ length: A.relays[0] }, () => new Node(random, A.restarts[0]));
  const delays: number[] = [];
  for (let event = 0; event < (isQuick ? 100 : EVENTS); event++) {
    const said = random() * DAY;
    for (let reader = 0; reader < SAMPLE; reader++) {
      const index = Math.floor(random() * relays.length);
      const region = index % REGIONS.length;
      // The room, the hub of the region, the relay, and the reader, whose turn comes after others.
      let time = room.after(said);
      time += (REGIONS[region] || A.inRegion[0] / 2) * logNormal(A.jitter[0], random);
      time = hubs[region]!.after(time) + A.forward[0];
      time += (A.inRegion[0] / 2) * logNormal(A.jitter[0], random);
      time = relays[index]!.after(time) + A.forward[0];
      time += (random() * A.readersPerRelay[0] * A.send[0]) / 1_000;
      if (random() < (A.lost[0] * A.back[0]) / DAY) time += random() * A.back[0];
      time += (A.toReader[0] / 2) * logNormal(A.spread[0], random);
      delays.push(time - said);
    }
  }
  const delay = (who: string, part: number): Row => ({
    what: 'from a call in Europe to a reader, simulated',
    who,
    value: percentile(delays, part),
    unit: 'ms',
  });
  return [
    delay('median', 0.5),
    delay('p99', 0.99),
    delay('p99.9', 0.999),
    delay('longest', 1),
    ...[1, 10].flatMap((rate) => costsOf(rate)),
  ];
}

export function assumptionTable(): string[][] {
  const rows = Object.values(ASSUMPTIONS).map(([value, unit, source]) => [
    `${value}`,
    unit,
    source,
  ]);
  return [['', 'of', 'source'], ...rows];
}

/** Dollars in a month for a million readers, at so many events a second. */
function costsOf(rate: number): Row[] {
  const readers = A.relays[0] * A.readersPerRelay[0];
  const objects = A.relays[0] + REGIONS.length + 1;
  const dollarsOf = (messages: number): number => (messages / 20) * (A.requests[0] / 1e6);
  const acknowledgements = (window: number): number =>
    dollarsOf((readers * rate * MONTH) / (window / 2));
  const row = (who: string, value: number): Row => ({
    what: `a month of ${readers} readers, ${rate} events a second`,
    who,
    value: Math.round(value),
    unit: '$',
  });
  return [
    row(`${objects} objects, awake`, (objects * MONTH * A.awake[0] * A.duration[0]) / 1e6),
    ...[A.window[0], 1_024].map((window) =>
      row(`acknowledgements, window ${window}`, acknowledgements(window)),
    ),
    row('connections', readers * A.lost[0] * 30 * (A.requests[0] / 1e6)),
  ];
}

function logNormal(deviation: number, random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(deviation * normal);
}

function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}
