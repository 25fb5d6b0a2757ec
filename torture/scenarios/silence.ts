/** Connections are lost without any signal: black holes, half-open sockets, a server that does not answer. */
import { sleep, until } from '../../harness/waiting.mjs';
import { isAnswered, now } from '../clients/evidence.ts';
import type { ClientReport } from '../clients/client-process.ts';
import { Fleet } from '../clients/fleet.ts';
import { type Context, type Figures, reportOf, type Scenario } from '../scenario.ts';
import { blackHole, halfOpen, watchfulness } from '../faults.ts';
import { pausedReaders } from './paused-reader.ts';

const CLIENTS = 4;
/** The maximum time that the clients work between two faults, in milliseconds. */
const BREATH = 400;

export const silence: Scenario = {
  name: 'silence',
  about: 'black holes, half-open sockets, silent servers and readers',
  async run(context) {
    const parts = [
      await blackHoles(context),
      await halfOpenSockets(context),
      await muteServer(context),
    ];
    // This part takes as long as the eviction of an object.
    return context.short ? parts : [...parts, ...(await pausedReaders(context))];
  },
};

/** Makes black holes. Each lasts until every client has tried a new connection. Then all held data arrives. */
async function blackHoles({ short, seed, random, note }: Context): Promise<Figures> {
  const options = watchfulness(short);
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, options });
  const { lanes } = fleet;
  const rounds = short ? 3 : 12;
  await fleet.work();
  for (let round = 0; round < rounds; round++) {
    note(`black holes: ${rounds - round} to go`);
    await sleep(random() * BREATH);
    await blackHole(lanes, round);
  }
  await sleep(BREATH);
  const reports = await fleet.rest();
  const { figures, failures } = reportOf(await fleet.verdict(reports));
  const title = 'black holes that then deliver all data';
  return { title, figures: { holes: rounds, ...figures, ...fleet.recovery(reports) }, failures };
}

/** Resets one side of each connection, without a signal to the other side. */
async function halfOpenSockets({ short, seed, random, note }: Context): Promise<Figures> {
  const options = watchfulness(short);
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, options });
  const rounds = short ? 2 : 10;
  await fleet.work();
  for (let round = 0; round < rounds; round++) {
    note(`half-open: ${rounds - round} to go`);
    await sleep(random() * BREATH);
    await halfOpen(fleet.lanes, round);
  }
  await sleep(BREATH);
  const reports = await fleet.rest();
  const { figures, failures } = reportOf(await fleet.verdict(reports));
  const sockets = rounds * CLIENTS;
  return {
    title: 'half-open sockets',
    figures: { 'half-open': sockets, ...figures, ...fleet.recovery(reports) },
    failures,
  };
}

/** Checks that calls reject after their timeout and not before, and that later calls are answered as usual. */
async function muteServer({ short, seed, note }: Context): Promise<Figures> {
  const timeout = 1_000;
  const options = { ...watchfulness(short), timeout };
  await using fleet = await Fleet.start({ lanes: CLIENTS, seed, options });
  const { lanes, server } = fleet;
  const failures: string[] = [];
  const count = (reports: readonly ClientReport[]): number =>
    reports.flatMap(({ calls }) => calls).filter(isAnswered).length;
  const callOnce = async (): Promise<number> => count(await fleet.once());
  const answered = async (): Promise<number> => count(await fleet.rest());
  const expectTimeouts = async (what: string): Promise<void> => {
    note(what);
    const begun = now();
    const before = await answered();
    if ((await callOnce()) > before) failures.push(`a call was answered by ${what}`);
    if (now() - begun < timeout) failures.push(`a call did not wait for ${what}`);
  };
  const expectAnswers = async (what: string): Promise<void> => {
    const before = await answered();
    // On a slow machine, a first call may also reach its timeout.
    await until(async () => (await callOnce()) >= before + CLIENTS).catch(() =>
      failures.push(`no answers after ${what}`),
    );
  };
  for (const { proxy } of lanes) proxy.silence('up', 'down');
  await expectTimeouts('a server that accepts and never answers');
  for (const { proxy } of lanes) proxy.resume();
  await expectAnswers('the server began to answer');
  await server.kill();
  await expectTimeouts('a server that is down');
  await server.start();
  await expectAnswers('the server was up again');
  const verdict = reportOf(await fleet.verdict(await fleet.rest()), {
    errors: ['TIMEOUT'],
  });
  return {
    title: 'silent and missing servers',
    figures: verdict.figures,
    failures: [...failures, ...verdict.failures],
  };
}
