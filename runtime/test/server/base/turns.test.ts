/** Objects that change each other send each live value that has changed. */
import { expect, test } from 'vitest';
import { changed, compileContract, live } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';

class Lamp {
  isOn = false;
  readonly #others: Lamp[] = [];

  connect(other: Lamp): void {
    this.#others.push(other);
  }

  toggle(): void {
    for (const lamp of [this, ...this.#others]) {
      lamp.isOn = !lamp.isOn;
      changed(lamp);
    }
  }

  shines(): boolean {
    return this.isOn;
  }
}

const contract = compileContract({
  toggle: [],
  shines: live(),
});

test('a method that changes another object has the live values of that object sent too', async () => {
  const [one, other] = [new Lamp(), new Lamp()];
  one.connect(other);
  const ports = [openPort(one, contract), openPort(other, contract)] as const;
  for (const port of ports) {
    expect(await port.ask('["subscribe",1,null,"shines"]')).toBe(
      '[["subscribed",1],["value",1,false]]',
    );
  }
  for (const value of [true, false]) {
    ports[0].sendMessages(`[${value ? 1 : 2},"toggle"]`);
    expect(await ports[1].next()).toBe(`[["value",1,${value}]]`);
    expect(await ports[0].next()).toBe(`[[${value ? 1 : 2}],["value",1,${value}]]`);
  }
});
