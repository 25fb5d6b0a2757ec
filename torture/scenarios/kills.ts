/** Kills the runtime at random moments under load, and starts it again on the same storage. */
import { Fleet, transportParts, TRANSPORTS } from '../clients/fleet.ts';
import { killAgain } from '../faults.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { sleep } from '../../harness/waiting.mjs';

const CLIENTS = 8;
/** The maximum time between a start and the next kill, in milliseconds. */
const LONG_LIFE = 2_500;
const SHORT_LIFE = 1_000;

export const kills: Scenario = {
  name: 'kills',
  about: 'the runtime is killed under load from 8 processes',
  async run(context) {
    const parts: Figures[] = [];
    for (const title of transportParts(context.short)) {
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
  await killAgain(server, lanes, { total: short ? 3 : 20, maxLife }, random, (left) =>
    note(`${title}: ${left} kills to go`),
  );
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
