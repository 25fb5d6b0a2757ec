/** The list of connected users, which comes only from attachments. Timestamps are values. */
import { DurableObject } from 'cloudflare:workers';

interface Seen {
  userId: string;
  lastSeen: number;
}

export class Presence extends DurableObject<Env> {
  private readonly warned = new WeakSet<WebSocket>();

  override fetch(request: Request): Response {
    const userId = new URL(request.url).searchParams.get('user') ?? crypto.randomUUID();
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [`user:${userId}`]);
    server.serializeAttachment({ userId, lastSeen: Date.now() } satisfies Seen);
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket): void {
    const seen = socket.deserializeAttachment() as Seen;
    if (Date.now() - seen.lastSeen < 100 && !this.warned.has(socket)) {
      this.warned.add(socket);
      socket.send('slow down');
    }
    socket.serializeAttachment({ ...seen, lastSeen: Date.now() });
  }

  online(): Seen[] {
    return this.ctx.getWebSockets().map((socket) => socket.deserializeAttachment() as Seen);
  }
}
