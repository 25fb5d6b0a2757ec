/**
 * Sessions that an alarm expires. The class is in the old style, with `implements`, `state` and
 * `env`.
 */
interface Session {
  userId: string;
  expiresAt: number;
}

export class SessionStore implements DurableObject {
  private readonly state: DurableObjectState;
  private readonly env: Env;
  private sessions: Record<string, Session>;

  constructor(state: DurableObjectState, env: Env) {
    this.state = state;
    this.env = env;
    this.sessions = this.state.storage.kv.get<Record<string, Session>>('sessions') ?? {};
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case 'POST /sessions':
        return Response.json(this.create(((await request.json()) as { userId: string }).userId));
      case 'DELETE /sessions':
        this.clear();
        return new Response(null, { status: 204 });
      default:
        return new Response(`No route in ${Object.keys(this.env).length}`, { status: 404 });
    }
  }

  async alarm(): Promise<void> {
    const now = Date.now();
    for (const [token, { expiresAt }] of Object.entries(this.sessions)) {
      if (expiresAt < now) delete this.sessions[token];
    }
    this.save();
  }

  private create(userId: string): { token: string } {
    const token = crypto.randomUUID();
    this.sessions[token] = { userId, expiresAt: Date.now() + 3_600_000 };
    this.save();
    void this.state.storage.setAlarm(Date.now() + 3_600_000);
    return { token };
  }

  private clear(): void {
    this.sessions = {};
    this.save();
  }

  private save(): void {
    this.state.storage.kv.put('sessions', this.sessions);
  }
}
