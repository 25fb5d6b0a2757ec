/**
 * A TCP proxy on loopback that does to connections what networks do: it delays, throttles, cuts in
 * the middle of a frame, falls silent, forgets one side. It never reorders, and never invents a
 * byte. One proxy for each client, so that a fault has one victim. Imports waiting.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sleep } from './waiting.mjs';

export type Direction = 'up' | 'down';

/** How a connection ends: as when a process dies, or as when it closes in good order. */
export type Ending = 'reset' | 'close';

interface Cut {
  direction: Direction;
  /** How many more bytes pass that way. */
  bytes: number;
  ending: Ending;
  done: () => void;
}

/** A connection: what goes up comes from the client. */
interface Pipe {
  client: Socket;
  upstream: Socket;
}

export class Proxy {
  /** Milliseconds that every chunk waits, each way. */
  delay = 0;
  /** Bytes a second, each way; Infinity for as fast as it goes. */
  rate = Infinity;
  connections = 0;
  /** Of the server behind, for connections from now on. */
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

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Cuts the connection on which the next bytes pass in a direction, after that many: at any place
   * in a frame. Resolves when it is done.
   */
  cutAfter(bytes: number, direction: Direction, ending: Ending): Promise<void> {
    return new Promise((done) => {
      this.#cut = { bytes, direction, ending, done };
    });
  }

  /** Forwards nothing any more that way, on old and new connections, and says nothing of it. */
  silence(...directions: Direction[]): void {
    this.#silent = new Set(directions);
  }

  /** Forwards again, what was held back first. */
  resume(): void {
    this.#silent.clear();
  }

  /**
   * Forgets every connection on one side only: that side is reset, and the other one, still open,
   * never hears again.
   */
  forget(side: 'client' | 'upstream'): void {
    for (const pipe of this.#pipes) {
      reset(pipe[side]);
      const other = side === 'client' ? pipe.upstream : pipe.client;
      other.removeAllListeners('data').removeAllListeners('end').resume();
    }
  }

  /** Cuts every connection. */
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
      // What ends one side badly ends the other in the same way.
      socket.on('error', () => finish(pipe, 'reset'));
      socket.on('close', () => {
        if (client.destroyed && upstream.destroyed) this.#pipes.delete(pipe);
      });
    }
    this.#forward(pipe, client, upstream, 'up');
    this.#forward(pipe, upstream, client, 'down');
  }

  #forward(pipe: Pipe, from: Socket, to: Socket, direction: Direction): void {
    // Each chunk waits for the one before, so that nothing overtakes.
    let before: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      // A socket that is not read from holds its peer back, as a network does.
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
    // An error is told to the listener that every socket has.
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
 * What `resetAndDestroy` does, without its shutdown beforehand: that waits for what is unsent, and
 * while it waits an error of the connection makes Node forget to close it (24.21).
 */
function reset(socket: Socket): void {
  const isShuttingDown = socket.writableEnded && !socket.writableFinished;
  if (!isShuttingDown && !socket.connecting) Object.assign(socket, { resetAndClosing: true });
  socket.destroy();
}
