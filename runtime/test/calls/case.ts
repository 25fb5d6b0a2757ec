/** What a case of the conformance suite is. It knows no test runner, so that it runs in a page too. */
import type { Caller, Way } from './caller.ts';

export interface Case {
  readonly name: string;
  /**
   * What the behaviour belongs to: connections of every kind, sockets among them, or frames each of which
   * is a request. Default: all.
   */
  readonly only?: 'connection' | 'socket' | 'http';
  /**
   * Whether it leaves nothing behind that another case could notice, and uses `caller.standing` only:
   * then it shares an object with all others of its kind, of which there are many.
   */
  readonly isShared?: boolean;
  /** Whether it fills what has a limit, which takes long: then not every way is tried with it. */
  readonly isLarge?: boolean;
  /** Rejects when the behaviour is not as it should be. */
  run(caller: Caller): Promise<void>;
}

/** The cases that a way has to pass. */
export function casesOf(cases: readonly Case[], { transport, by }: Way): Case[] {
  const kinds = transport === 'http' ? ['http'] : ['connection', by === 'port' ? '' : 'socket'];
  return cases.filter(({ only }) => !only || kinds.includes(only));
}
