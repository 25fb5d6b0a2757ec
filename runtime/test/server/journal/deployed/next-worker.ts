/** The object after a deployment that has removed methods, and made one of them read. */
import { lumenizeRpcDO, read } from '../../../../src/server.ts';
import { Tally } from './worker.ts';

export { default } from './worker.ts';

class Next extends Tally {
  override change(): number {
    return -this.count();
  }
}

export const Counted = lumenizeRpcDO(Next, { count: read(), change: read() });

export const Unjournaled = lumenizeRpcDO(
  class extends Tally {},
  { count: read() },
  { journal: false },
);
