/**
 * The harness tests itself: it has to find clients that call twice, a runtime that loses its storage, wrong
 * answers, and subscribers that lose events. Otherwise a run without findings would not prove anything.
 */
import { Audience } from '../subscribers/audience.ts';
import { cutLanes } from '../faults.ts';
import { Fleet } from '../clients/fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { sleep } from '../../harness/waiting.mjs';

const CUTS = 20;
/** The time that clients work at first, and the maximum, in milliseconds. */
const LIFE = 500;
const LONGEST_LIFE = 20_000;

export const selfTest: Scenario = {
  name: 'self-test',
  about: 'planted mistakes, which the test has to find',
  async run(context) {
    return [
      await callTwice(context),
      await untilFound((life) => forget(context, life)),
      await mixUp(context),
      await untilFound((life) => mishear(context, life)),
    ];
  },
};

/** Gives the clients more and more time, because on a busy machine they may complete no call in half a second. */
async function untilFound(attempt: (life: number) => Promise<Figures>): Promise<Figures> {
  for (let life = LIFE; ; life *= 3) {
    const result = await attempt(life);
    if (result.failures.length === 0 || life * 3 > LONGEST_LIFE) return result;
  }
}

/** Lets clients repeat calls after a cut, as new calls. */
async function callTwice({ seed, random, note }: Context): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: 4, seed, naive: true, rhythm: 'increments' });
  await fleet.work();
  const { count } = await cutLanes(fleet.lanes, CUTS, random, (left) => note(`${left} cuts to go`));
  const { figures } = reportOf(await fleet.verdict(await fleet.rest()));
  const failures = figures.doubled === 0 ? ['doubled calls were not found'] : [];
  return { title: 'naive clients', figures: { cuts: count, ...figures }, failures };
}

/** Lets a runtime lose its storage, and with it the calls that it has answered. */
async function forget({ seed }: Context, life: number): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: 4, seed, naive: true, rhythm: 'increments' });
  await fleet.work();
  await sleep(life);
  await fleet.server.kill();
  await fleet.server.start('emptied');
  await fleet.rest();
  const { figures } = reportOf(await fleet.verdict(await fleet.once()));
  const failures = figures.lost === 0 ? ['lost calls were not found'] : [];
  return { title: 'storage lost', figures: { kills: 1, ...figures }, failures };
}

/** Swaps the answers of two calls. */
async function mixUp({ seed }: Context): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: 1, seed });
  await fleet.once();
  const reports = await fleet.once();
  const [one, other] = reports.flatMap(({ calls }) => calls);
  if (one && other) [one.value, other.value] = [other.value ?? 0, one.value ?? 0];
  const { figures } = reportOf(await fleet.verdict(reports));
  const failures = figures.wrong === 2 ? [] : ['wrong answers were not found'];
  return { title: 'swapped answers', figures, failures };
}

/** Lets subscribers leave, and come back without their cursor or with an old cursor. */
async function mishear({ seed }: Context, life: number): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: 2, seed, binding: 'ANNOUNCER' });
  await using audience = await Audience.gather(fleet, { habits: ['forgetful', 'doubting'], seed });
  await fleet.work();
  await sleep(life);
  await fleet.rest();
  const { hearings } = await audience.verdict();
  const [forgetful, doubting] = hearings;
  const failures: string[] = [];
  if (!forgetful?.lost) failures.push('lost events were not found');
  if (!doubting?.doubled) failures.push('doubled events were not found');
  const figures = { lost: forgetful?.lost ?? 0, doubled: doubting?.doubled ?? 0 };
  return { title: 'subscribers with a wrong cursor', figures, failures };
}
