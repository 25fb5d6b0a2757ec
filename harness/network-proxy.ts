/**
 * A TCP proxy on loopback that has the faults of a network: it delays, throttles, cuts a connection in the middle of a
 * frame, forwards nothing, or resets only one side. It never reorders or changes bytes. Use one proxy for each client,
 * so that a fault affects only that client.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sleep } from './waiting.mjs';

export type Direction = 'up' | 'down';

/** The way in which a connection ends: by a reset, as when a process dies, or by an orderly close. */
export type Ending = 'reset' | 'close';

interface Cut {
  direction: Direction;
  /** The number of further bytes that pass in this direction. */
  bytes: number;
  ending: Ending;
  done: () => void;
}

/** A connection. Data from the client goes up, data from the server goes down. */
interface Pipe {
  client: Socket;
  upstream: Socket;
}

export class Proxy {
  /** Delay of every chunk in milliseconds, in each direction. */
  delay = 0;
  /** Bytes per second, in each direction; Infinity for no limit. */
  rate = Infinity;
  connections = 0;
  /** Port of the server behind the proxy, for new connections. */
  port: number;
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  readonly #pipes = new Set<Pipe>();
  #silent = new Set<Direction>();
  #cut: Cut | undefined;

  constructor(port: number) {
    this.port = port;
  }

  /** Resolves when it accepts connections. */
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** The address of the proxy, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Cuts a connection after this many more bytes in a direction, at any place in a frame. It cuts the
   * connection on which the last of these bytes pass. Resolves when the connection is cut.
   */
  cutAfter(bytes: number, direction: Direction, ending: Ending): Promise<void> {
    return new Promise((done) => {
      this.#cut = { bytes, direction, ending, done };
    });
  }

  /** Forwards nothing in these directions, on old and new connections. The connections stay open. */
  silence(...directions: Direction[]): void {
    this.#silent = new Set(directions);
  }

  /** Forwards again, beginning with the data that was held back. */
  resume(): void {
    this.#silent.clear();
  }

  /**
   * Resets every connection on one side only. The other side stays open, and never receives anything
   * again.
   */
  forget(side: 'client' | 'upstream'): void {
    for (const pipe of this.#pipes) {
      reset(pipe[side]);
      const other = side === 'client' ? pipe.upstream : pipe.client;
      other.removeAllListeners('data').removeAllListeners('end').resume();
    }
  }

  cutAll(ending: Ending): void {
    for (const pipe of this.#pipes) finish(pipe, ending);
  }

  close(): void {
    this.cutAll('reset');
    this.#server.close();
  }

  #accept(client: Socket): void {
    this.connections++;
    const upstream = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    const pipe = { client, upstream };
    this.#pipes.add(pipe);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      // An error on one side resets the other side too.
      socket.on('error', () => finish(pipe, 'reset'));
      socket.on('close', () => {
        if (client.destroyed && upstream.destroyed) this.#pipes.delete(pipe);
      });
    }
    this.#forward(pipe, client, upstream, 'up');
    this.#forward(pipe, upstream, client, 'down');
  }

  #forward(pipe: Pipe, from: Socket, to: Socket, direction: Direction): void {
    // Each chunk waits for the previous chunk, so that the order stays the same.
    let before: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      // A paused socket slows its peer down, as a slow network does.
      from.pause();
      before = before
        .then(() => this.#wait(chunk.length))
        .then(() => this.#pass(chunk, pipe, to, direction))
        .then(() => from.resume());
    });
    from.on('end', () => {
      before = before.then(() => this.#audible(direction, to)).then(() => to.end());
    });
  }

  async #wait(bytes: number): Promise<void> {
    const time = this.delay + (bytes / this.rate) * 1000;
    if (time > 0) await sleep(time);
  }

  async #pass(chunk: Buffer, pipe: Pipe, to: Socket, direction: Direction): Promise<void> {
    await this.#audible(direction, to);
    if (to.destroyed) return;
    const cut = this.#cut;
    if (cut?.direction === direction) {
      cut.bytes -= chunk.length;
      if (cut.bytes < 0) {
        this.#cut = undefined;
        to.write(chunk.subarray(0, chunk.length + cut.bytes), () => {
          finish(pipe, cut.ending);
          cut.done();
        });
        return;
      }
    }
    // Every socket has a listener that handles errors.
    if (!to.write(chunk))
      await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {});
  }

  async #audible(direction: Direction, to: Socket): Promise<void> {
    while (this.#silent.has(direction) && !to.destroyed) await sleep(5);
  }
}

function finish({ client, upstream }: Pipe, ending: Ending): void {
  for (const socket of [client, upstream]) {
    if (ending === 'close') socket.destroySoon();
    else reset(socket);
  }
}

/**
 * Does what `resetAndDestroy` does, without the shutdown before it. The shutdown waits for unsent data.
 * If the connection fails during that time, Node does not close it (24.21).
 */
function reset(socket: Socket): void {
  const isShuttingDown = socket.writableEnded && !socket.writableFinished;
  if (!isShuttingDown && !socket.connecting) Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
}
