/** A Durable Object that many clients follow and few clients change: a match, its reports and its score. */
import { DurableObject } from 'cloudflare:workers';
import {
  closeClients,
  events,
  feed,
  type Feed,
  internal,
  live,
  lumenizeRpcDO,
  type RpcObject,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

export interface Score {
  home: number;
  guests: number;
}

/** The snapshot has the last reports. Every other event is a report. */
export type MatchEvent = { recent: string[] } | { text: string };

/** The number of reports in the snapshot. */
const RECENT = 20;

class MatchImpl extends DurableObject<Env> {
  reports(): Feed<MatchEvent> {
    return feed(this, 'reports', { snapshot: () => ({ recent: this.#recent() }) });
  }

  report(text: string): void {
    this.ctx.storage.kv.put('recent', [...this.#recent(), text].slice(-RECENT));
    this.reports().append({ text });
  }

  getScore(): Score {
    return this.ctx.storage.kv.get<Score>('score') ?? { home: 0, guests: 0 };
  }

  setScore(score: Score): void {
    this.ctx.storage.kv.put('score', score);
  }

  /** Ends the connections of a user: see `ban` of match-relay.ts. */
  ban(user: string): void {
    closeClients<{ user: string }>(this, (caller) => caller?.user === user);
  }

  #recent(): string[] {
    return this.ctx.storage.kv.get<string[]>('recent') ?? [];
  }
}

const goals = Type.Integer({ minimum: 0 });

export const Match = lumenizeRpcDO(MatchImpl, {
  reports: events(),
  report: [Type.String({ minLength: 1, maxLength: 500 })],
  getScore: live(),
  setScore: [Type.Object({ home: goals, guests: goals })],
  ban: internal([Type.String()]),
});
export type Match = RpcObject<typeof Match>;
