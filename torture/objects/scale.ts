/** An object whose methods accept almost nothing, so that a frame costs only its work before the check. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../runtime/src/typebox.ts';
import {
  callback,
  events,
  feed,
  type Feed,
  live,
  read,
  streamOf,
} from '../../runtime/src/server.ts';

export class ScaleImpl extends DurableObject<Env> {
  ping(): number {
    return 1;
  }

  take(number: number): number {
    return number;
  }

  takeList(list: number[]): number {
    return list.length;
  }

  watch(number: number): number {
    return number;
  }

  follow(number: number): Feed<number> {
    return feed(this, `feed ${number}`);
  }

  async receive(numbers: AsyncIterable<number>): Promise<void> {
    // The first item is refused, which ends the loop.
    for await (const number of numbers) void number;
  }

  async ask(ask: () => Promise<number>): Promise<number> {
    return ask();
  }
}

const number = Type.Integer();

export const scaleContract = {
  ping: read(),
  take: read([number]),
  takeList: read([Type.Array(number, { maxItems: 10 })]),
  watch: live([number]),
  follow: events([number]),
  receive: [streamOf(number)],
  ask: [callback([], number)],
} as const;
