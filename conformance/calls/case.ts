/** What a case of the conformance suite is. It knows no test runner, so that it runs in a page too. */
import type { Caller } from '../support/caller.ts';

export interface Case {
  readonly name: string;
  /** The one transport that the behaviour belongs to. Default: every one. */
  readonly only?: 'websocket' | 'http';
  /**
   * Whether it leaves nothing behind that another case could notice, and uses `caller.standing` only:
   * then it shares an object with all others of its kind, of which there are many.
   */
  readonly isShared?: boolean;
  /** Rejects when the behaviour is not as it should be. */
  run(caller: Caller): Promise<void>;
}
