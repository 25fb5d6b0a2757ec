/** A lobby whose whole state is one record. A random choice and a room code are not ids. */
import { DurableObject } from 'cloudflare:workers';

interface Lobby {
  code: string;
  hostId: string | null;
  players: string[];
  phase: 'waiting' | 'playing' | 'over';
}

export class GameLobby extends DurableObject<Env> {
  private state: Lobby = { code: '', hostId: null, players: [], phase: 'waiting' };

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const stored = ctx.storage.kv.get<Lobby>('lobby');
      if (stored) this.state = stored;
      else this.state.code = await this.newCode();
    });
  }

  join(playerId: string): Lobby {
    if (!this.state.players.includes(playerId)) this.state.players.push(playerId);
    this.state.hostId ??= playerId;
    this.persist();
    return this.state;
  }

  leave(playerId: string): Lobby {
    const players = this.state.players.filter((id) => id !== playerId);
    this.state = { ...this.state, players };
    if (this.state.hostId === playerId) {
      this.state.hostId = players[Math.floor(Math.random() * players.length)] ?? null;
    }
    this.persist();
    return this.state;
  }

  start(): void {
    this.state.phase = 'playing';
    this.persist();
  }

  roll(): number {
    return Math.floor(Math.random() * 6) + 1;
  }

  private async newCode(): Promise<string> {
    const response = await fetch('https://codes.example/new');
    return response.text();
  }

  private persist(): void {
    this.ctx.storage.kv.put('lobby', this.state);
  }
}
