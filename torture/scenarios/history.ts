/**
 * Readers who page a feed upwards, 50 events at a time, and follow its end, while events are appended, the runtime is
 * killed and their connections are cut. What each of them had is compared with the object's record of its announcements.
 */
import { createRpcClient } from '../../runtime/src/client.ts';
import { recoveries } from '../clients/evidence.ts';
import { allRows, Fleet, recoveryOf } from '../clients/fleet.ts';
import { cutLanes, killAgain } from '../faults.ts';
import type { Announcement } from '../objects/announcer.ts';
import type { Announcer } from '../objects/worker.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { judgeRuns } from '../subscribers/hearing.ts';
import { Pager } from '../subscribers/pager.ts';

const PRODUCERS = 3;
const READERS = 8;
/** Longest pause between rounds of a producer, in milliseconds, because each reader gets each event. */
const PAUSE = 100;

export const history: Scenario = {
  name: 'history',
  about: '8 readers page a feed upwards and follow its end, through kills and cuts',
  run: async (context) => [await page(context)],
};

async function page({ short, seed, random, note }: Context): Promise<Figures> {
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
    const [total, cutTotal] = short ? [3, 30] : [20, 400];
    const [cuts] = await Promise.all([
      cutLanes(readers, cutTotal, random, (left) => note(`${left} cuts to go`)),
      killAgain(
        server,
        [...lanes, ...readers],
        { total, maxLife: short ? 1_000 : 2_500 },
        random,
        () => {},
      ),
    ]);
    note('waiting for the last announcement');
    const calls = reportOf(await fleet.verdict(await fleet.rest()), { interruptions: true });
    using reader = createRpcClient<Announcer>('ANNOUNCER', instance, { baseUrl: server.url });
    const log = await allRows((after) => reader.announced(after));
    await Promise.all(readers.map((one) => one.finish(log.at(-1)?.row ?? 0)));
    await server.check();
    const verdicts = readers.flatMap(({ lists }) =>
      lists.map((list, index) => judgeRuns(list, partOf(log, list, index === lists.length - 1))),
    );
    const sum = (name: keyof (typeof verdicts)[number]): number =>
      verdicts.reduce((all, verdict) => all + verdict[name], 0);
    const mistakes = (['lost', 'doubled', 'disordered', 'untrue'] as const).filter(
      (name) => sum(name) > 0,
    );
    return {
      title: 'history',
      figures: {
        kills: server.kills,
        cuts: cuts.count,
        readers: readers.length,
        lists: verdicts.length,
        pages: readers.reduce((all, { pages }) => all + pages, 0),
        announced: log.length,
        heard: sum('heard'),
        lost: sum('lost'),
        doubled: sum('doubled'),
        disordered: sum('disordered'),
        untrue: sum('untrue'),
        ...recoveryOf(readers.flatMap(({ faults, times }) => recoveries(faults, times))),
      },
      failures: [
        ...calls.failures,
        ...mistakes.map((name) => `${sum(name)} events were ${name}`),
        ...readers.flatMap(({ errors }) => errors.slice(0, 3)),
        ...(cuts.stuck > 0 ? [`${cuts.stuck} readers had no more traffic`] : []),
      ],
    };
  } finally {
    for (const { proxy } of readers) proxy.close();
  }
}

/** The announcements that a list should have: from the first of all to its last, which is the last of all in the end. */
function partOf(
  log: readonly Announcement[],
  list: readonly Announcement[],
  isLast: boolean,
): readonly Announcement[] {
  const last = isLast ? Infinity : (list.at(-1)?.row ?? 0);
  return log.filter(({ row }) => row <= last);
}
