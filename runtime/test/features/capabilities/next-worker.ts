/** The next deployment of the bank, with sessions that have other methods. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { capability, lumenizeRpcDO, read } from '../../../src/server.ts';

class SessionImpl {
  readonly #bank: BankImpl;
  readonly #user: string;

  constructor(bank: BankImpl, user: string) {
    this.#bank = bank;
    this.#user = user;
  }

  balance(): number {
    return this.#bank.balanceOf(this.#user);
  }

  greeting(): string {
    return `Hello ${this.#user}`;
  }
}

/** Allows only shorter names than the first deployment. */
const Session = capability(SessionImpl, [Type.String({ maxLength: 8 })], {
  balance: read(),
  greeting: read(),
});

class BankImpl extends DurableObject<Env> {
  balanceOf(user: string): number {
    return this.ctx.storage.kv.get<number>(`balance:${user}`) ?? 100;
  }

  login(user: string): InstanceType<typeof Session> {
    return new Session(this, user);
  }
}

export const Bank = lumenizeRpcDO(BankImpl, {
  login: { input: [Type.String()], returns: Session },
});

export { default } from '../../served/routed.ts';
