/** Measures every contender on every workload, in one runtime, with one compression setting. */
import { counter as ofCounter, workloads } from '../../harness/counter-perf.ts';
import { measure } from '../../runtime/src/perf/measure.ts';
import { countWire, type WireCost } from '../../runtime/src/perf/measure/wire.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { Workload } from '../../runtime/src/perf/workloads.ts';
import { CAPNWEB, FLOOR, THIS_RPC, VALIDATED } from '../results/names.ts';
import type { PartOptions } from '../part.ts';
import type { Row } from '../results/rows.ts';
import { QUICK, rowsOfSeries } from '../series.ts';
import { against, contenderOf, contenders, heartbeatOfRpcDo, peers } from '../contenders/peers.ts';
import { serveContenders } from '../contenders/serve.ts';

/** The workloads without events, which have a part of their own. */
const ofCalls = workloads.filter(({ name }) => !name.includes('heard by'));

/** @throws Error if a contender that is not a rival gives a wrong answer or no answer */
export async function measureCalls(
  webSocketCompression: boolean,
  { isQuick, note }: PartOptions,
): Promise<Row[]> {
  await using runtime = await serveContenders({ webSocketCompression });
  const { url } = runtime;
  await expectChecks(url);
  const heartbeat = isQuick ? undefined : reasonOf(heartbeatOfRpcDo(url));
  const chosen = isQuick ? quickOf(webSocketCompression) : ofCalls;
  const isAgain = isQuick && webSocketCompression;
  const series = await measure(url, isAgain ? contenders.filter(isJudged) : contenders, chosen, {
    ...(isQuick ? QUICK : { ...ofCounter, warmUp: 1, duration: 150_000 }),
    onProgress: (part) => note(`${Math.floor(part * 100)} %`),
  });
  const rows = [
    ...rowsOfSeries(series, against),
    ...(isAgain ? [] : await measurePeers(url, chosen, isQuick)),
  ];
  const able = [...contenders, ...peers].filter(({ name }) =>
    rows.some(({ who, value }) => who === name && value !== undefined),
  );
  rows.push(
    ...(await countWire(url, able, ['increment', 'getValue'], ofCounter)).flatMap(wireRows),
  );
  const reason = await heartbeat;
  if (reason) {
    rows.push({
      what: 'a call after 32 seconds',
      who: 'rpc.do, WebSocket, reconnecting',
      note: reason,
    });
  }
  return rows;
}

/** @throws Error if the contender that checks its arguments accepts a wrong argument */
async function expectChecks(url: string): Promise<void> {
  const counter = await contenderOf(VALIDATED).connect(url, 'checks');
  const value = await counter.call('increment', ['1']).catch((error: unknown) => error);
  counter.close();
  if (!(value instanceof TypeError)) throw new Error(`${VALIDATED} accepted a text as a number`);
}

/** Tells whether a quick run with compression measures a contender. All contenders have already run without compression. */
function isJudged({ name }: Contender): boolean {
  return [THIS_RPC, CAPNWEB, FLOOR].includes(name);
}

/** Returns the workloads of a quick run. With compression, they are only the workloads with a weight. */
function quickOf(webSocketCompression: boolean): Workload[] {
  return ofCalls.filter(({ isLong, weight }) => !isLong && (!webSocketCompression || weight));
}

/**
 * Measures the peers in rounds of their own, with the floors and Cap'n Web. With fewer
 * contenders in a round, the compared times are closer to each other.
 */
async function measurePeers(
  url: string,
  all: readonly Workload[],
  isQuick: boolean,
): Promise<Row[]> {
  // The peers run only the counter. The bookings compare this project with itself.
  const chosen = all.filter(
    ({ isLong, weight, name }) => !isLong && !name.includes('bookings') && (!isQuick || weight),
  );
  const options = isQuick ? QUICK : { ...ofCounter, warmUp: 1, duration: 60_000 };
  const beside = contenders.filter(({ role }) => role !== undefined);
  const series = await measure(url, [...beside, ...peers], chosen, options);
  const names = new Set(peers.map(({ name }) => name));
  return rowsOfSeries(series, against).filter(({ who }) => names.has(who));
}

/** Returns the payload before compression, and the number of frames. A POST has no frames. */
function wireRows({ contender: who, operation, up, down }: WireCost): Row[] {
  const bytes = up.bytes + down.bytes;
  const frames = up.frames + down.frames;
  return [
    { what: `${operation}, up and down`, who, value: bytes, unit: 'bytes' },
    ...(frames ? [{ what: `frames of ${operation}, up and down`, who, value: frames }] : []),
  ];
}

async function reasonOf(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
}

/** Returns the message of the original error, which rpc.do wraps in another error. */
function messageOf(error: unknown): string {
  const { cause, value } = error as { cause?: unknown; value?: unknown };
  if (cause ?? value) return messageOf(cause ?? value);
  return error instanceof Error ? error.message : String(error);
}
