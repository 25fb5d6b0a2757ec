/** A chat room with hibernating sockets. Attachments have the users, and SQL has the history. */
import { DurableObject } from 'cloudflare:workers';

interface Session {
  id: string;
  name?: string;
}

export class ChatRoom extends DurableObject<Env> {
  private readonly sessions = new Map<WebSocket, Session>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    for (const socket of ctx.getWebSockets()) {
      this.sessions.set(socket, socket.deserializeAttachment() as Session);
    }
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, at INTEGER, name TEXT, text TEXT)',
    );
  }

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get('Upgrade') !== 'websocket') {
      return new Response('Expected a WebSocket', { status: 426 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const session: Session = { id: crypto.randomUUID() };
    server.serializeAttachment(session);
    this.sessions.set(server, session);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const session = this.sessions.get(socket);
    if (!session || typeof data !== 'string') return;
    const { name, text } = JSON.parse(data) as { name?: string; text: string };
    if (name && !session.name) {
      session.name = name;
      socket.serializeAttachment({ ...session });
      this.broadcast({ joined: name });
      return;
    }
    const message = { id: crypto.randomUUID(), at: Date.now(), name: session.name, text };
    this.ctx.storage.sql.exec(
      'INSERT INTO messages VALUES (?, ?, ?, ?)',
      message.id,
      message.at,
      message.name ?? 'anonymous',
      message.text,
    );
    this.broadcast(message);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const session = this.sessions.get(socket);
    this.sessions.delete(socket);
    socket.close(code, 'closing');
    if (session?.name) this.broadcast({ left: session.name });
  }

  history(limit = 100): { name: string; text: string }[] {
    return this.ctx.storage.sql
      .exec<{ name: string; text: string }>(
        'SELECT name, text FROM messages ORDER BY at DESC LIMIT ?',
        limit,
      )
      .toArray();
  }

  private broadcast(message: object): void {
    const text = JSON.stringify(message);
    for (const [socket] of this.sessions) {
      try {
        socket.send(text);
      } catch {
        this.sessions.delete(socket);
      }
    }
  }
}
