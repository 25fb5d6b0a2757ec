/**
 * A client stops reading for longer than an idle object stays in memory, while answers wait for it. In one part,
 * there are more answers than the buffers hold, so they wait in the object. In the other part there are few answers, so the
 * object can hibernate.
 */
import { createRpcClient } from '../../runtime/src/client.ts';
import { LedgerCaller } from '../clients/calls.ts';
import { PATIENCE, sleep } from '../../harness/waiting.mjs';
import { Fleet } from '../clients/fleet.ts';
import { type Context, type Figures, reportOf } from '../scenario.ts';
import type { Ledger } from '../objects/worker.ts';

/** The pause in milliseconds. An idle object is evicted after 10 seconds. */
const PAUSE = 22_000;
const INCREMENTS = 20;
/** The reads before the increments. Their answers are as many as the object holds for a client. */
const READS = { count: 3, length: 1_000_000 };

export async function pausedReaders(context: Context): Promise<Figures[]> {
  return [
    await pausedReader(context, 'a paused reader with waiting answers', READS.count),
    await pausedReader(context, 'a paused reader without waiting answers', 0),
  ];
}

async function pausedReader(
  { seed, note }: Context,
  title: string,
  reads: number,
): Promise<Figures> {
  await using fleet = await Fleet.start({ lanes: 1, seed });
  const [{ proxy }] = fleet.lanes as [Fleet['lanes'][number]];
  // The heartbeat has its default, as in most programs.
  const options = { baseUrl: proxy.url, timeout: PATIENCE };
  using ledger = createRpcClient<Ledger>('LEDGER', fleet.instance, options);
  const caller = new LedgerCaller(ledger, () => ledger);
  await caller.increment();
  const lives = await ledger.lives();
  note(`${title}: ${PAUSE / 1000} s`);
  const connections = proxy.connections;
  proxy.silence('down');
  const answers = Array.from({ length: reads }, () => ledger.readText(READS.length));
  const texts = Promise.allSettled(answers);
  const increments = Array.from({ length: INCREMENTS }, () => caller.increment());
  await sleep(PAUSE);
  proxy.resume();
  await Promise.all(increments);
  const failures = unread(await texts);
  const verdict = reportOf(await fleet.verdict([{ calls: caller.calls, states: {} }]));
  return {
    title,
    figures: {
      ...verdict.figures,
      'object evicted': (await ledger.lives()) - lives,
      reconnects: proxy.connections - connections,
    },
    failures: [...failures, ...verdict.failures],
  };
}

function unread(texts: readonly PromiseSettledResult<string>[]): string[] {
  const isRead = (text: PromiseSettledResult<string>): boolean =>
    text.status === 'fulfilled' && text.value.length === READS.length;
  const count = texts.filter((text) => !isRead(text)).length;
  return count > 0 ? [`${count} of ${texts.length} texts did not arrive`] : [];
}
