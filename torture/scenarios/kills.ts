/** The runtime is killed at random moments under load, and started again on the same storage. */
import { now } from '../calls.ts';
import { Fleet, TRANSPORTS } from '../fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { sleep } from '../../harness/waiting.mjs';

const CLIENTS = 8;
/** Longest time between a start and the next kill, in milliseconds. */
const LONG_LIFE = 2_500;
const SHORT_LIFE = 1_000;

const PARTS = ['websocket', 'http', 'both'] as const;
const SHORT_PARTS = ['both'] as const;

export const kills: Scenario = {
  name: 'kills',
  about: 'the runtime killed under load from 8 processes',
  async run(context) {
    const parts: Figures[] = [];
    for (const title of context.short ? SHORT_PARTS : PARTS) {
      parts.push(await killUnderLoad(context, title));
    }
    return parts;
  },
};

async function killUnderLoad(
  { short, seed, random, note }: Context,
  title: keyof typeof TRANSPORTS,
): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, transports: TRANSPORTS[title] });
  const { server, lanes } = fleet;
  const maxLife = short ? SHORT_LIFE : LONG_LIFE;
  await fleet.work();
  for (let left = short ? 3 : 20; left > 0; left--) {
    note(`${title}: ${left} kills to go`);
    // Most lives are long enough to work in; some end while the clients are still coming back.
    await sleep(random() * (random() < 0.75 ? maxLife : maxLife / 10));
    for (const { faults } of lanes) faults.push(now());
    await server.kill();
    await sleep(random() * 200);
    await server.start();
  }
  await sleep(maxLife);
  note(`${title}: waiting for the last answers`);
  const reports = await fleet.rest();
  const { figures, failures } = reportOf(await fleet.verdict(reports), {
    interruptions: true,
  });
  return {
    title,
    figures: { kills: server.kills, ...figures, ...fleet.recovery(reports) },
    failures,
  };
}
