/** A board whose live values, feeds and failures are read by the queries of the tests. */
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import {
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  stream,
} from '../../src/server.ts';
import * as Type from '../../src/typebox.ts';

class PenTarget extends RpcTarget {
  readonly #color: string;

  constructor(_board: object, color: string) {
    super();
    this.#color = color;
  }

  color(): string {
    return this.#color;
  }
}

export const Pen = capability(PenTarget, [Type.String()], { color: read() });
export type Pen = InstanceType<typeof Pen>;

class BoardImpl extends DurableObject {
  #reads = 0;
  #held: (() => void)[] = [];

  score(player: string): number {
    this.#reads++;
    if (this.ctx.storage.kv.get('broken')) throw new RangeError('It is broken');
    return this.ctx.storage.kv.get<number>(`score ${player}`) ?? 0;
  }

  add(player: string, by = 1): number {
    const score = this.score(player) + by;
    this.ctx.storage.kv.put(`score ${player}`, score);
    return score;
  }

  breakOrMend(isBroken: boolean): void {
    this.ctx.storage.kv.put('broken', isBroken);
  }

  /** Returns how often `score` has run. */
  reads(): number {
    return this.#reads;
  }

  topic(): string | undefined {
    return this.ctx.storage.kv.get<string>('topic');
  }

  setTopic(topic?: string): void {
    this.ctx.storage.kv.put('topic', topic);
  }

  async wait(): Promise<string> {
    await new Promise<void>((resolve) => this.#held.push(resolve));
    return 'waited';
  }

  /** Ends the waiting calls of `wait`, and returns their number. */
  release(): number {
    const held = this.#held.splice(0);
    for (const go of held) go();
    return held.length;
  }

  echo(value: unknown): unknown {
    return value;
  }

  sum(numbers: number[]): number {
    return numbers.reduce((sum, number) => sum + number, 0);
  }

  *upTo(end: number): Generator<number> {
    for (let number = 1; number <= end; number++) yield number;
  }

  messages(): Feed<string> {
    return feed(this, 'messages', { keep: 5 });
  }

  say(text: string): void {
    this.messages().append(text);
  }

  cursor(): string {
    return this.messages().cursor;
  }

  pen(color: string): Pen {
    return new Pen(this, color);
  }
}

export const Board = lumenizeRpcDO(BoardImpl, {
  score: live([Type.String()]),
  add: [Type.String(), Type.Optional(Type.Number())],
  breakOrMend: [Type.Boolean()],
  reads: read(),
  topic: live(),
  setTopic: [Type.Optional(Type.String())],
  wait: read(),
  release: [],
  echo: read([Type.Unknown()]),
  sum: read([Type.Array(Type.Number())]),
  upTo: stream([Type.Number()]),
  messages: events(),
  say: [Type.String()],
  cursor: read(),
  pen: { input: [Type.String()], returns: Pen },
});
export type Board = InstanceType<typeof Board>;

interface Env {
  BOARD: DurableObjectNamespace;
}

export default {
  async fetch(request, env) {
    const routed = await routeDORequest(request, env, { bindings: ['BOARD'] });
    return routed ?? new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<Env>;
