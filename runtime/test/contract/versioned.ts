/** A Durable Object that has one version of a class until another version is deployed. */
import { DurableObject } from 'cloudflare:workers';
import {
  compileContract,
  feed,
  type Feed,
  handleRpcClose,
  handleRpcMessage,
  handleRpcRequest,
  read,
} from '../../src/server.ts';
import * as Type from '../../src/typebox.ts';
import { CHANGES } from './changes.ts';
import type { Version } from './version.ts';

export type Age = 'old' | 'next';

type Compiled = ReturnType<typeof compileContract>;

const compiled = new Map<Version, Compiled>();

/** Returns the contract of a version, with the methods that the tests need. */
export function contractOf(version: Version): Compiled {
  let contract = compiled.get(version);
  if (!contract) {
    const methods = { ...version.contract, publish: [Type.String()], first: read([Type.String()]) };
    compiled.set(version, (contract = compileContract(methods)));
  }
  return contract;
}

/**
 * A Durable Object whose name gives the change and the age of its version, such as `add a
 * method/old/1`.
 */
export class Versioned extends DurableObject<Env> {
  readonly #version: Version;
  readonly #contract: Compiled;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const [change = '', age = ''] = (ctx.id.name ?? '').split('/');
    const deployed = ctx.storage.kv.get<Age>('deployed') ?? (age as Age);
    const { [deployed]: version } = CHANGES.find(({ name }) => name === change) ?? {};
    if (!version) throw new Error(`There is no version ${ctx.id.name}`);
    this.#version = version;
    this.#contract = contractOf(version);
    for (const name of Object.keys(version.contract)) {
      const own = version.object?.[name];
      const method = own ?? ((...args: unknown[]) => this.#answer(name, args));
      Object.defineProperty(this, name, { value: method.bind(this as never) });
    }
  }

  #answer(name: string, args: unknown[]): unknown {
    const answers = this.#version.answers?.[name] ?? [];
    const { '~entry': kind, key = '' } = this.#version.contract[name] as {
      '~entry'?: string;
      key?: string;
    };
    switch (kind) {
      case 'events':
        return this.#feed(name);
      case 'stream':
        return answers.values();
      case 'rows': {
        const place = args.at(-1) as string | number | undefined;
        const isLater = (row: unknown): boolean =>
          place === undefined || (row as Record<string, string | number>)[key]! > place;
        return answers.filter(isLater).values();
      }
      case 'live':
        return answers[0];
      case 'presence':
        return args[0] === undefined ? undefined : answers[0];
      default: {
        const count = this.ctx.storage.kv.get<number>(`count ${name}`) ?? 0;
        this.ctx.storage.kv.put(`count ${name}`, count + 1);
        return answers[count % answers.length];
      }
    }
  }

  /**
   * Appends the events of the version to a feed.
   *
   * @returns how many events there are now
   */
  publish(name: string): number {
    this.first(name);
    let count = this.ctx.storage.kv.get<number>(`events ${name}`) ?? 0;
    for (const event of this.#version.answers?.[name] ?? []) {
      this.#feed(name).append(event);
      count++;
    }
    this.ctx.storage.kv.put(`events ${name}`, count);
    return count;
  }

  #feed(name: string): Feed<unknown> {
    return feed(this, name, { volatile: this.#version.isVolatile });
  }

  /** The cursor before the first event of a feed. */
  first(name: string): string {
    const known = this.ctx.storage.kv.get<string>(`first ${name}`);
    const { cursor } = this.#feed(name);
    if (known === undefined) this.ctx.storage.kv.put(`first ${name}`, cursor);
    return known ?? cursor;
  }

  override async fetch(request: Request): Promise<Response> {
    const response = await handleRpcRequest(request, this, this.#contract);
    return response ?? new Response('Not found', { status: 404 });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    handleRpcMessage(socket, message, this, this.#contract);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    handleRpcClose(socket, code, reason, this, this.#contract);
  }
}
