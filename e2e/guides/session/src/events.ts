import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { capability, events, feed, type Feed, lumenizeRpcDO } from 'lumenize-rpc/server';
import { Type } from 'typebox';

const USERS = new Map([['demo-token', 'Ada Lovelace']]);

class SessionImpl extends RpcTarget {
  readonly #events: EventsImpl;
  readonly #user: string;

  constructor(object: EventsImpl, user: string) {
    super();
    this.#events = object;
    this.#user = user;
  }
  events(): Feed<string> {
    return feed(this.#events, 'events');
  }
  report(text: string): void {
    this.events().append(`${this.#user}: ${text}`);
  }
}
export const Session = capability(SessionImpl, [Type.String()], {
  events: events(),
  report: [Type.String({ maxLength: 1000 })],
});

class EventsImpl extends DurableObject<Env> {
  authenticate(token: string): InstanceType<typeof Session> {
    const user = USERS.get(token);
    if (!user) throw new Error('Unknown token');
    return new Session(this, user);
  }
}
export const Events = lumenizeRpcDO(EventsImpl, {
  authenticate: { input: [Type.String({ maxLength: 100 })], returns: Session },
});
export type Events = InstanceType<typeof Events>;
