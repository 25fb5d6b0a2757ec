/**
 * The type of a case of the conformance suite. It uses no test runner, because the cases also run
 * in a page.
 */
import type { Caller, Way } from './caller.ts';

export interface Case {
  readonly name: string;
  /**
   * The transports that have the behaviour: connections of every kind, only sockets, or only HTTP
   * requests. Default: all.
   */
  readonly only?: 'connection' | 'socket' | 'http';
  /**
   * True if the case leaves nothing behind that another case could notice, and uses only
   * `caller.standing`. It then shares an object with the other shared cases, of which there are
   * many.
   */
  readonly isShared?: boolean;
  /**
   * True if the case fills something up to a limit, which takes long. Such a case does not run in
   * every way.
   */
  readonly isLarge?: boolean;
  /** Rejects if the object does not behave as the case expects. */
  run(caller: Caller): Promise<void>;
}

/** Returns the cases that have to pass in a way. */
export function casesOf(cases: readonly Case[], { transport, by }: Way): Case[] {
  const kinds = transport === 'http' ? ['http'] : ['connection', by === 'port' ? '' : 'socket'];
  return cases.filter(({ only }) => !only || kinds.includes(only));
}
