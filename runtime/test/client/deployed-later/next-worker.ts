/** The object after the deployment, with another method, a live value, one more argument and one more feature. */
import * as Type from '../../../src/typebox.ts';
import { callback, live, lumenizeRpcDO, read, type RpcObject } from '../../../src/server.ts';
import { TallyImpl } from './worker.ts';

export { default } from './worker.ts';

class NextImpl extends TallyImpl {
  override add(by: number, times = 1): number {
    return super.add(by * times);
  }

  double(): number {
    return this.add(this.count());
  }

  current(): number {
    return this.count();
  }

  async ask(question: (text: string) => Promise<number>): Promise<number> {
    return this.add(await question('how many'));
  }
}

export const Tally = lumenizeRpcDO(NextImpl, {
  count: read(),
  add: [Type.Integer(), Type.Optional(Type.Integer())],
  double: [],
  current: live(),
  ask: [callback([Type.String()], Type.Integer())],
});
export type Tally = RpcObject<typeof Tally>;

export const Unjournaled = lumenizeRpcDO(
  class extends NextImpl {},
  { double: [] },
  { journal: false },
);
