/** An object that has other code in each of its lives, because a deployment takes effect in the next life. */
import { DurableObject } from 'cloudflare:workers';
import {
  compileContract,
  handleRpcClose,
  handleRpcMessage,
  handleRpcRequest,
  read,
} from '../../../src/server.ts';

export { default } from './worker.ts';

const OLD = compileContract({ life: read(), deploy: [] });
const NEXT = compileContract({ life: read(), added: [] });

export class Deferring extends DurableObject<Env> {
  readonly #contract = this.ctx.storage.kv.get('isDeployed') ? NEXT : OLD;
  readonly #life = (this.ctx.storage.kv.get<number>('lives') ?? 0) + 1;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.kv.put('lives', this.#life);
  }

  override async fetch(request: Request): Promise<Response> {
    return (
      (await handleRpcRequest(request, this, this.#contract)) ?? new Response(null, { status: 404 })
    );
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    handleRpcMessage(socket, message, this, this.#contract);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    handleRpcClose(socket, code, reason, this, this.#contract);
  }

  life(): number {
    return this.#life;
  }

  deploy(): void {
    this.ctx.storage.kv.put('isDeployed', true);
  }

  added(): number {
    const runs = (this.ctx.storage.kv.get<number>('runs') ?? 0) + 1;
    this.ctx.storage.kv.put('runs', runs);
    return runs;
  }
}
