/**
 * A document of lines with versions. It is loaded when it is needed, and stored after each change.
 */
import { DurableObject } from 'cloudflare:workers';

interface Edit {
  line: number;
  text: string;
}

export class CollaborativeDocument extends DurableObject<Env> {
  private lines: string[] | null = null;
  private version = 0;
  private saving: Promise<void> | undefined;

  private load(): string[] {
    if (this.lines === null) {
      const { kv } = this.ctx.storage;
      this.lines = kv.get<string[]>('lines') ?? [];
      this.version = kv.get<number>('version') ?? 0;
    }
    return this.lines;
  }

  apply(edits: Edit[], from: WebSocket | null): number {
    const lines = this.load();
    for (const { line, text } of edits) lines[line] = text;
    this.version += 1;
    this.flush(lines);
    for (const socket of this.ctx.getWebSockets()) {
      if (socket !== from) socket.send(JSON.stringify({ version: this.version, edits }));
    }
    return this.version;
  }

  override webSocketMessage(socket: WebSocket, message: string): void {
    this.apply(JSON.parse(message) as Edit[], socket);
  }

  async publish(url: string): Promise<boolean> {
    this.saving = this.upload(url);
    await this.saving;
    return true;
  }

  private flush(lines: string[]): void {
    this.ctx.storage.transactionSync(() => {
      this.ctx.storage.kv.put('lines', lines);
      this.ctx.storage.kv.put('version', this.version);
    });
  }

  private async upload(url: string): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    await fetch(url, { method: 'PUT', body: this.load().join('\n'), signal });
  }
}
