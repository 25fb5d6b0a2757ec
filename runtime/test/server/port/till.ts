/**
 * An object for the other end of a port, and its contract. Its class imports nothing of Workers.
 */
import * as Type from '../../../src/typebox.ts';
import {
  callback,
  callbackAt,
  capability,
  changed,
  compileContract,
  type Contract,
  currentCaller,
  events,
  feed,
  type Feed,
  live,
  read,
  revoke,
  tokenOf,
} from '../../../src/server.ts';

type Ask = (text: string) => Promise<boolean>;

class DrawerImpl {
  readonly #till: Till;
  readonly #name: string;

  constructor(till: Till, name: string) {
    this.#till = till;
    this.#name = name;
  }

  put(amount: number): number {
    return this.#till.add(amount);
  }

  name(): string {
    return this.#name;
  }
}

const Drawer = capability(DrawerImpl, [Type.String()], {
  put: [Type.Integer()],
  name: live(),
});

export class Till {
  total = 0;
  #ask = '';

  add(amount: number): number {
    this.total += amount;
    this.sales().append(amount);
    return this.total;
  }

  sum(): number {
    return this.total;
  }

  sales(): Feed<number> {
    return feed(this, 'sales', { keep: 10 });
  }

  drawer(name: string): InstanceType<typeof Drawer> {
    return new Drawer(this, name);
  }

  lock(name: string): void {
    revoke(this, new Drawer(this, name));
  }

  onLarge(ask: Ask): void {
    this.#ask = tokenOf(ask);
  }

  large(): Promise<boolean> {
    return callbackAt<Ask>(this, this.#ask)('Is it true?');
  }

  who(): unknown {
    return currentCaller() ?? 'nobody';
  }

  never(): Promise<never> {
    return new Promise(() => {});
  }

  /** Changes without a call, as a timer does. */
  reset(): void {
    this.total = 0;
    changed(this);
  }
}

export const till = compileContract({
  add: [Type.Integer()],
  sum: live(),
  sales: events(),
  drawer: { input: [Type.String()], returns: Drawer },
  lock: [Type.String()],
  onLarge: [callback([Type.String()], Type.Boolean())],
  large: [],
  who: read(),
  never: read(),
} satisfies Contract);
