/**
 * Readers page a feed towards older events, 50 at a time, and follow its end. Meanwhile events are appended, the runtime is
 * killed and connections are cut. The list of each reader is compared with the object's record of its announcements.
 */
import { recoveries } from '../clients/evidence.ts';
import { Fleet, recoveryOf } from '../clients/fleet.ts';
import { cutAndKill } from '../faults.ts';
import type { Announcement } from '../objects/announcer.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { announcementsOf } from '../subscribers/audience.ts';
import { judgeRuns, summaryOf } from '../subscribers/hearing.ts';
import { Pager } from '../subscribers/pager.ts';

const PRODUCERS = 3;
const READERS = 8;
/** The maximum pause between rounds of a producer, in milliseconds. It limits the events, which each reader gets. */
const PAUSE = 100;

export const history: Scenario = {
  name: 'history',
  about: '8 readers page a feed towards older events and follow its end, through kills and cuts',
  run: async (context) => [await page(context)],
};

async function page(context: Context): Promise<Figures> {
  const { short, seed, random, note } = context;
  await using fleet = await Fleet.start({
    lanes: PRODUCERS,
    seed,
    binding: 'ANNOUNCER',
    pause: PAUSE,
  });
  const { server, instance, lanes } = fleet;
  await fleet.work();
  const readers = await Promise.all(
    Array.from({ length: READERS }, () => Pager.start(server.port, instance, random)),
  );
  try {
    const victims = [...lanes, ...readers];
    const cuts = await cutAndKill(server, readers, victims, short ? 30 : 400, context);
    note('waiting for the last announcement');
    const calls = reportOf(await fleet.verdict(await fleet.rest()), { interruptions: true });
    const log = await announcementsOf(fleet);
    await Promise.all(readers.map((one) => one.finish(log.at(-1)?.row ?? 0)));
    await server.check();
    const verdicts = readers.flatMap(({ lists }) =>
      lists.map((list, index) => judgeRuns(list, partOf(log, list, index === lists.length - 1))),
    );
    const heard = summaryOf(verdicts);
    return {
      title: 'history',
      figures: {
        kills: server.kills,
        cuts: cuts.count,
        readers: readers.length,
        lists: verdicts.length,
        pages: readers.reduce((all, { pages }) => all + pages, 0),
        announced: log.length,
        ...heard.figures,
        ...recoveryOf(readers.flatMap(({ faults, times }) => recoveries(faults, times))),
      },
      failures: [
        ...calls.failures,
        ...heard.failures,
        ...readers.flatMap(({ errors }) => errors.slice(0, 3)),
        ...(cuts.stuck > 0 ? [`${cuts.stuck} readers had no more traffic`] : []),
      ],
    };
  } finally {
    for (const { proxy } of readers) proxy.close();
  }
}

/** Returns the announcements that a list should have: from the first announcement to the last announcement. */
function partOf(
  log: readonly Announcement[],
  list: readonly Announcement[],
  isLast: boolean,
): readonly Announcement[] {
  const last = isLast ? Infinity : (list.at(-1)?.row ?? 0);
  return log.filter(({ row }) => row <= last);
}
