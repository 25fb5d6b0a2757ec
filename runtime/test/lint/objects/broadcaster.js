/** A broadcaster in plain JavaScript without types, in the old style. A library stores the rows. */
import { Rows } from './rows.js';

export class Broadcaster {
  constructor(state, env) {
    this.state = state;
    this.env = env;
    this.rows = new Rows(state.storage.sql);
    this.channels = new Set();
    this.state.blockConcurrencyWhile(async () => {
      for (const channel of await this.rows.channels()) this.channels.add(channel);
    });
  }

  async fetch(request) {
    const channel = new URL(request.url).pathname;
    if (request.headers.get('Upgrade') === 'websocket') {
      const [client, server] = Object.values(new WebSocketPair());
      this.state.acceptWebSocket(server, [channel]);
      this.open(channel);
      return new Response(null, { status: 101, webSocket: client });
    }
    this.publish(channel, await request.text());
    return new Response('ok');
  }

  open(channel) {
    this.channels.add(channel);
    this.rows.insert(channel);
  }

  publish(channel, text) {
    const message = {
      text,
      resend(now) {
        this.sentAt = now;
        return this;
      },
    };
    for (const socket of this.state.getWebSockets(channel)) {
      socket.send(JSON.stringify(message.resend(Date.now())));
    }
  }
}
