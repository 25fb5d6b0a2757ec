/**
 * The suite's object at the other end of a port, in this program: one that is no Durable Object, and the same
 * for all who ask for its name. Runs in Node, in the Workers runtime and in a page.
 */
import type { PortLike } from '../../src/wire/ports.ts';
import { bytes, compileContract, servePort } from '../../src/server.ts';
import { contract, discreet, frank, type Notes, subjectOn } from './subject.ts';

/** Notes what it runs in memory. */
class Remembering implements Notes {
  readonly #notes = new Map<string, unknown>();
  readonly notes = {
    get: <Value>(key: string): Value | undefined => this.#notes.get(key) as Value | undefined,
    put: (key: string, value: unknown): void => void this.#notes.set(key, value),
  };
}

const PortSubject = subjectOn(Remembering as never) as unknown as new () => object;

const contracts = {
  HIBERNATING: compileContract(contract, { ...frank, use: [bytes] }),
  DISCREET: compileContract(contract, discreet),
};

const objects = new Map<string, object>();

export function portTo(binding: string, instance: string): PortLike {
  const { port1, port2 } = new MessageChannel();
  const name = `${binding}/${instance}`;
  const object = objects.get(name) ?? new PortSubject();
  objects.set(name, object);
  servePort(port1, object, contracts[binding as keyof typeof contracts]);
  return port2;
}
