/**
 * Sends streams of every kind in both directions. The connections of the clients are cut, and their loops pause, break or
 * are closed. The scenario checks the items of each loop. It also checks that streams which a loop has left end in the
 * object.
 */
import { Runtime } from '../../harness/runtime.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { CONFIG } from '../clients/fleet.ts';
import { killOnce } from '../faults.ts';
import type { Context, Figures, Scenario } from '../scenario.ts';
import { Lane, type Tally } from '../clients/streaming.ts';

const LANES = 6;
/** The number of simultaneous loops of a client. */
const LOOPS = 3;
/** The time in which new loops start, in milliseconds. */
const LONG = 60_000;
const SHORT = 6_000;
/** The maximum time between a start and the next kill, in milliseconds. */
const LIFE = 15_000;
/** The maximum numbers of received and sent bytes before a cut. */
const MOST = 200_000;
const MOST_UP = 5_000;
/** The maximum time between two cuts, in milliseconds. */
const BREATH = 200;
/** The maximum silence of a connection, and the maximum time between two silences, in milliseconds. */
const SILENCE = 3_000;

export const streams: Scenario = {
  name: 'streams',
  about: 'streams in both directions, through cuts, silences and kills',
  async run(context) {
    return [
      await read(context, { title: 'cuts', kills: false }),
      await read(context, { title: 'kills', kills: true }),
    ];
  },
};

async function read(
  { short, random, note }: Context,
  { title, kills }: { title: string; kills: boolean },
): Promise<Figures> {
  await using server = await Runtime.serve({ config: CONFIG });
  const tally: Tally = { loops: 0, items: 0, complete: 0, left: 0, failed: 0, failures: [] };
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, index) => Lane.open(server, index, random, tally)),
  );
  const over = new AbortController();
  let cuts = 0;
  const cut = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const lane = lanes[Math.floor(random() * lanes.length)] as Lane;
      const [direction, most] =
        random() < 0.5 ? (['up', MOST_UP] as const) : (['down', MOST] as const);
      const bytes = Math.floor(random() ** 2 * most);
      const done = lane.proxy.cutAfter(bytes, direction, random() < 0.5 ? 'reset' : 'close');
      void done.then(() => cuts++);
      await sleep(random() * BREATH);
    }
  };
  const silence = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(random() * SILENCE);
      const lane = lanes[Math.floor(random() * lanes.length)] as Lane;
      if (random() < 0.5) lane.proxy.forget(random() < 0.5 ? 'client' : 'upstream');
      else {
        lane.proxy.silence(...(['up', 'down'] as const).filter(() => random() < 0.6));
        await sleep(random() * SILENCE);
        lane.proxy.resume();
      }
    }
  };
  const kill = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(random() * (short ? LIFE / 5 : LIFE));
      await killOnce(server, random);
    }
  };
  const faults = Promise.all([cut(), silence(), kills ? kill() : undefined]);
  const end = performance.now() + (short ? SHORT : LONG);
  await Promise.all(
    lanes.flatMap((lane) =>
      Array.from({ length: LOOPS }, async () => {
        while (performance.now() < end) {
          note(`${title}: ${tally.loops} loops`);
          await lane.loop();
        }
      }),
    ),
  );
  over.abort();
  for (const lane of lanes) lane.close();
  note(`${title}: waiting for streams that loops have left`);
  await faults;
  const { failures, ...figures } = tally;
  const wrong = failures.length;
  // A stream whose client has gone without a signal ends after a timeout and a heartbeat at the latest.
  await until(async () => (await lanes[0]?.left())?.length === 0).catch(async () =>
    failures.push(`these streams never ended: ${(await lanes[0]?.left())?.join()}`),
  );
  for (const lane of lanes) lane.proxy.close();
  return { title, figures: { cuts, kills: server.kills, ...figures, wrong }, failures };
}
