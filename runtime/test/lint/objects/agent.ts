/**
 * An agent whose `setState` stores the state. The client of its model and its running answer are
 * handles.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { lumenizeRpcDO, read } from '../../../src/server.ts';

interface State {
  mood: string;
  turns: { role: 'user' | 'model'; text: string }[];
}

class Model {
  constructor(readonly url: string) {}
  async complete(text: string, signal: AbortSignal): Promise<string> {
    const response = await fetch(this.url, { method: 'POST', body: text, signal });
    return response.text();
  }
}

class AgentImpl extends DurableObject<Env> {
  #state: State = this.ctx.storage.kv.get<State>('state') ?? { mood: 'calm', turns: [] };
  #model: Model | undefined;
  #running: AbortController | null = null;

  get state(): State {
    return this.#state;
  }

  async say(text: string): Promise<string> {
    this.setState({ ...this.state, turns: [...this.state.turns, { role: 'user', text }] });
    this.#running?.abort();
    this.#running = new AbortController();
    const answer = await this.model().complete(text, this.#running.signal);
    this.setState({ ...this.state, turns: [...this.state.turns, { role: 'model', text: answer }] });
    return answer;
  }

  turns(): State['turns'] {
    return this.state.turns;
  }

  stop(): void {
    this.#running?.abort();
  }

  private setState(next: State): void {
    this.#state = next;
    this.ctx.storage.kv.put('state', next);
  }

  private model(): Model {
    if (!this.#model) this.#model = new Model('https://model.example');
    return this.#model;
  }

  private static readonly limits = { turns: 100 };
  static readonly maximum = this.limits.turns;
}

export const Agent = lumenizeRpcDO(AgentImpl, {
  say: [Type.String({ maxLength: 10_000 })],
  turns: read(),
  stop: [],
});
