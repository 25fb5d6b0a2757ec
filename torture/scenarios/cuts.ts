/** Connections are cut at random bytes, in both directions, under load. */
import { cutLanes } from '../faults.ts';
import { Fleet, transportParts, TRANSPORTS } from '../clients/fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';

const CLIENTS = 8;

export const cuts: Scenario = {
  name: 'cuts',
  about: 'connections are cut after a random byte, in both directions',
  async run(context) {
    const parts: Figures[] = [];
    for (const title of transportParts(context.short)) {
      parts.push(await cutUnderLoad(context, { title }));
    }
    return parts;
  },
};

/**
 * Repeats the cuts while all clocks jump, because order and identity do not depend on the clock. An object forgets clients
 * by its clock, so this clock stays within the tolerance of objects. An object may refuse a call of an unknown client, if
 * the client's clock dates the call hours ago.
 */
export const clocks: Scenario = {
  name: 'clocks',
  about: 'connections are cut while the clocks of clients jump by hours',
  async run(context) {
    return [await cutUnderLoad(context, { title: 'websocket', jumpingClock: true })];
  },
};

async function cutUnderLoad(
  { short, seed, random, note }: Context,
  { title, jumpingClock = false }: { title: keyof typeof TRANSPORTS; jumpingClock?: boolean },
): Promise<Figures> {
  const transports = TRANSPORTS[title];
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, transports, jumpingClock });
  const total = short ? 25 : 500;
  await fleet.work();
  const { count, stuck } = await cutLanes(fleet.lanes, total, random, (left) =>
    note(`${title}: ${left} cuts to go`),
  );
  const reports = await fleet.rest();
  const allowed = jumpingClock ? { errors: ['DISCONNECTED'], interruptions: true } : {};
  const { figures, failures } = reportOf(await fleet.verdict(reports), allowed);
  if (stuck > 0) failures.push(`${stuck} clients sent no more data after a cut`);
  return { title, figures: { cuts: count, ...figures, ...fleet.recovery(reports) }, failures };
}
