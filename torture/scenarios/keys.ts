/**
 * Makes calls with keys by plain `fetch`. Each call is sent several times, at random moments, while the runtime is killed
 * and the connections are cut.
 */
import { randomUUID } from 'node:crypto';
import { Proxy } from '../../harness/network-proxy.ts';
import { Runtime } from '../../harness/runtime.ts';
import { sleep } from '../../harness/waiting.mjs';
import { createRpcClient } from '../../runtime/src/client.ts';
import { type CallEvidence, judge, now } from '../clients/evidence.ts';
import { allRows, CONFIG } from '../clients/fleet.ts';
import { cutAndKill, type Victim } from '../faults.ts';
import type { Ledger } from '../objects/worker.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';

const LANES = 4;
/** The number of requests that wait at a time, over each lane. */
const SENDERS = 8;
/** The number of times that each call is sent, before it is sent once more at the end. */
const TIMES = 3;
/** The maximum time between two requests of a sender, in milliseconds. */
const PAUSE = 300;
/** The maximum duration of a late method, in milliseconds. */
const LATE = 50;

export const keys: Scenario = {
  name: 'keys',
  about: 'calls with keys by plain fetch, each sent at least three times, through kills and cuts',
  run: async (context) => [await sendWithKeys(context)],
};

/** A call, and the outcomes of its responses. */
interface KeyedCall extends CallEvidence {
  readonly key: string;
  readonly method: 'increment' | 'incrementLate';
  readonly args: readonly unknown[];
  /** The number of responses that say that they repeat an answer. */
  replayed: number;
}

async function sendWithKeys(context: Context): Promise<Figures> {
  const { short, seed, random, note } = context;
  await using server = await Runtime.serve({ config: CONFIG });
  const lanes = await Promise.all(
    Array.from({ length: LANES }, async (): Promise<Victim & { proxy: Proxy }> => {
      return { proxy: await new Proxy(server.port).listen(), faults: [], upMost: 1_000 };
    }),
  );
  const calls = Array.from({ length: short ? 100 : 1_000 }, (_, index) =>
    callOf(`${seed}-${index}`, random),
  );
  const queue = shuffled(
    calls.flatMap((call) => Array.from({ length: TIMES }, () => call)),
    random,
  );
  let isOver = false;
  let requests = 0;
  /** Sends the rest of the queue, and then any call, until the faults are over. */
  const work = async ({ proxy }: Victim): Promise<void> => {
    for (;;) {
      const call = queue.pop() ?? (isOver ? undefined : pick(calls, random));
      if (!call) return;
      requests++;
      await send(proxy.url, call);
      if (!isOver) await sleep(random() * PAUSE);
    }
  };
  const working = lanes.flatMap((lane) => Array.from({ length: SENDERS }, () => work(lane)));
  const cuts = await cutAndKill(server, lanes, lanes, short ? 20 : 200, context);
  isOver = true;
  await Promise.all(working);
  for (const { proxy } of lanes) proxy.close();
  note('sending each call once more');
  for (const call of calls) {
    await send(server.url, call);
    call.ended = now();
  }
  await server.check();
  using ledger = createRpcClient<Ledger>('LEDGER', 'keys', { baseUrl: server.url });
  const record = await allRows((after) => ledger.record(after));
  const { figures, failures } = reportOf(judge(calls, record), { interruptions: true });
  if (cuts.stuck > 0) failures.push(`${cuts.stuck} lanes had no more traffic`);
  const replayed = calls.reduce((sum, call) => sum + call.replayed, 0);
  return {
    title: 'keys',
    figures: { kills: server.kills, cuts: cuts.count, requests, replayed, ...figures },
    failures,
  };
}

function callOf(token: string, random: () => number): KeyedCall {
  const late = random() < 0.5;
  return {
    token,
    late,
    begun: now(),
    key: randomUUID(),
    method: late ? 'incrementLate' : 'increment',
    args: late ? [token, Math.floor(random() * LATE)] : [token],
    replayed: 0,
  };
}

/** Sends a call. The outcome of a lost request stays unknown. */
async function send(url: string, call: KeyedCall): Promise<void> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${url}/__rpc/LEDGER/keys/${call.method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': call.key },
      body: JSON.stringify(call.args),
    });
    body = await response.json();
  } catch {
    return;
  }
  if (response.headers.has('Idempotency-Replayed')) call.replayed++;
  if (response.ok) {
    // Two different answers cannot both be right.
    call.value = (call.value ?? body) === body ? (body as number) : NaN;
    // After a response has said that there is no answer, no answer can follow.
    if (call.code !== undefined) call.value = NaN;
    return;
  }
  const { code, maybeExecuted } = body as { code?: string; maybeExecuted?: boolean };
  // The object was stopped during the request. Sending the call again shows its outcome.
  if (code === 'UNAVAILABLE' && maybeExecuted) return;
  Object.assign(call, { code: code ?? `status ${response.status}`, maybeExecuted });
  if (call.value !== undefined) call.value = NaN;
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
