/**
 * The conformance suite in a page. Bundle it, load it into a page of the Worker under test, and call
 * `conformance` with the name of a way and the part of the suite.
 */
import type { RpcClientOptions } from '../../src/client.ts';
import { byPort, type Platform, ways } from '../calls/caller.ts';
import { Callers } from '../calls/callers.ts';
import { casesOf } from '../calls/case.ts';
import { parts } from '../calls/cases/subjects.ts';

declare const location: { origin: string };

export interface Report {
  passed: number;
  /** The name and the stack of each case that failed. */
  failed: [name: string, reason: string][];
}

const platform: Platform = {
  baseUrl: location.origin,
  WebSocket: globalThis.WebSocket as NonNullable<RpcClientOptions['WebSocket']>,
  fetch: (input, init) => fetch(input, init),
  inspect: (value) => console.debug(value),
};

async function conformance(wayName: string, part: keyof typeof parts): Promise<Report> {
  const way = [...ways, byPort].find(({ name }) => name === wayName);
  if (!way) throw new Error(`There is no way named ${wayName}`);
  const report: Report = { passed: 0, failed: [] };
  using callers = new Callers(platform, way);
  for (const [subject, cases] of Object.entries(parts[part])) {
    for (const one of casesOf(cases, way)) {
      try {
        await callers.run(one);
        report.passed++;
      } catch (error) {
        report.failed.push([`${subject}: ${one.name}`, String((error as Error).stack)]);
      }
    }
  }
  return report;
}

Object.assign(globalThis, { conformance });
