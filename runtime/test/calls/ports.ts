/**
 * The object of the suite behind a port in this program. It is not a Durable Object, and all
 * callers that ask for its name share it. The module runs in Node, in the Workers runtime and in a
 * page.
 */
import type { PortLike } from '../../src/wire/ports.ts';
import { bytes, compileContract, servePort } from '../../src/server.ts';
import { contract, discreet, frank, type Notes, subjectOn } from './subject.ts';

/** Keeps the names of executed calls in memory. */
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
