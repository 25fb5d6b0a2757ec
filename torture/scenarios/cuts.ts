/** Connections are cut at random bytes, in both directions, under load. */
import { cutLanes } from '../faults.ts';
import { Fleet, transportParts, TRANSPORTS } from '../clients/fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';

const CLIENTS = 8;

export const cuts: Scenario = {
  name: 'cuts',
  about: 'connections cut after a random byte, both ways',
  async run(context) {
    const parts: Figures[] = [];
    for (const title of transportParts(context.short)) {
      parts.push(await cutUnderLoad(context, { title }));
    }
    return parts;
  },
};

/**
 * Order and identity do not depend on the clock, so the same is true while all clocks jump. When an object forgets
 * a client does depend on the object's clock, so that clock stays within the tolerance of objects. An object may
 * refuse a call of a client that it does not know, if that client's clock dates the call hours ago.
 */
export const clocks: Scenario = {
  name: 'clocks',
  about: 'the same while clocks jump, of clients by hours',
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
  if (stuck > 0) failures.push(`${stuck} clients sent nothing any more after a cut`);
  return { title, figures: { cuts: count, ...figures, ...fleet.recovery(reports) }, failures };
}
