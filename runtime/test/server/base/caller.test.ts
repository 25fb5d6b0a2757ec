/** Tests how long a method knows its caller, and which live values depend on the caller. */
import { expect, test } from 'vitest';
import { compileContract, currentCaller, live } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

class Desk {
  /** The number of runs of each live method. */
  readonly runs = { mine: 0, all: 0 };
  #changes = 0;

  who(): unknown {
    return currentCaller() ?? 'nobody';
  }

  fail(): never {
    throw new Error('no');
  }

  async whoLater(): Promise<unknown> {
    const before = this.who();
    await undefined;
    return [before, this.who()];
  }

  change(): void {
    this.#changes++;
  }

  mine(): unknown {
    this.runs.mine++;
    return [this.who(), this.#changes];
  }

  all(): unknown {
    this.runs.all++;
    return this.#changes;
  }
}

const contract = compileContract({
  who: [],
  fail: [],
  whoLater: [],
  change: [],
  mine: live(),
  all: live(),
});

test('after a call there is no caller, whatever the call did', async () => {
  const desk = new Desk();
  const port = openPort(desk, contract, { caller: 'Ada' });
  expect(await port.ask('[1,"who"]')).toBe('[[1,"Ada"]]');
  expect(desk.who()).toBe('nobody');
  expect(await port.ask('[2,"fail"]')).toContain('"no"');
  expect(desk.who()).toBe('nobody');
  expect(await port.ask('[3,"whoLater"]')).toBe('[[3,["Ada","nobody"]]]');
});

test('a live method that does not read the caller runs once for all callers, beside a method that does', async () => {
  const desk = new Desk();
  const ports = ['Ada', 'Bob'].map((caller) => openPort(desk, contract, { caller }));
  for (const port of ports) {
    await port.ask('["subscribe",1,null,"mine"],["subscribe",2,null,"all"]');
  }
  const before = { ...desk.runs };
  const [ada, bob] = ports as [RawConnection, RawConnection];
  expect(await ada.ask('[1,"change"]')).toBe('[[1],["value",1,["Ada",1]],["value",2,1]]');
  expect(await bob.next()).toBe('[["value",1,["Bob",1]]]');
  expect(await bob.next()).toBe('[["value",2,1]]');
  expect([desk.runs.mine - before.mine, desk.runs.all - before.all]).toEqual([2, 1]);
});
