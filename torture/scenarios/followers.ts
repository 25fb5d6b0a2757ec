/**
 * Readers of a feed by server-sent events, while the runtime is killed and their connections are cut. The events of
 * each reader are compared with the object's record of its announcements.
 */
import { until } from '../../harness/waiting.mjs';
import { recoveries } from '../clients/evidence.ts';
import { Fleet, recoveryOf } from '../clients/fleet.ts';
import { cutAndKill } from '../faults.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { Follower } from '../subscribers/follower.ts';
import { announcementsOf } from '../subscribers/audience.ts';
import { judgeRuns, summaryOf } from '../subscribers/hearing.ts';

const PRODUCERS = 3;
const READERS = 24;
/** The maximum pause between rounds of a producer, in milliseconds. It limits the events, which each reader gets. */
const PAUSE = 100;

export const followers: Scenario = {
  name: 'followers',
  about:
    '24 readers of a feed by plain server-sent events with Last-Event-ID, through kills and cuts',
  run: async (context) => [await follow(context)],
};

async function follow(context: Context): Promise<Figures> {
  const { short, seed, random, note } = context;
  await using fleet = await Fleet.start({
    lanes: PRODUCERS,
    seed,
    binding: 'ANNOUNCER',
    pause: PAUSE,
  });
  const { server, instance, lanes } = fleet;
  const path = `/__rpc/ANNOUNCER/${instance}/runs`;
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) =>
      Follower.start(server.port, { path, isSlow: index % 4 === 0, random }),
    ),
  );
  try {
    await fleet.work();
    const victims = [...lanes, ...readers];
    const cuts = await cutAndKill(server, readers, victims, short ? 20 : 200, context);
    note('waiting for the last announcement');
    const calls = reportOf(await fleet.verdict(await fleet.rest()), { interruptions: true });
    const log = await announcementsOf(fleet);
    const last = log.at(-1)?.row;
    await until(() => readers.every(({ runs }) => runs.at(-1)?.row === last));
    await server.check();
    const verdicts = readers.map(({ runs }) => judgeRuns(runs, log));
    const heard = summaryOf(verdicts);
    return {
      title: 'followers',
      figures: {
        kills: server.kills,
        cuts: cuts.count,
        readers: readers.length,
        responses: readers.reduce((all, { responses }) => all + responses, 0),
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
    await Promise.all(readers.map((one) => one.stop()));
  }
}
