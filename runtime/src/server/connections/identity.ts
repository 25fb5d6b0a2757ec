/** Identifies the client of a connection by the headers of its request, and by the caller that a hook has named. */
import { headerItems } from '../base/requests.ts';
import { CLIENT_ID } from '../../wire/messages.ts';
import { callerOf } from '../base/caller.ts';
import { probedProtocols } from '../base/probes.ts';
import type { StorableSubscription } from '../contract/connection.ts';

/** The identity of a client. It is stored with the socket, so that it survives hibernation. */
export interface ConnectionIdentity {
  /** The caller that a hook of the router has named. */
  caller?: unknown;
  /** The caller's identity as text. */
  owner?: string | undefined;
  /** The client's id, which is its key in the journal. */
  client?: string | undefined;
  /** True if the client reads binary frames. */
  readsBytes?: boolean;
  /** Records of the client's subscriptions. */
  subscriptions?: readonly StorableSubscription['state'][];
}

/** Returns the identity of the client that opens a socket, or that asks by a probe why its upgrade was rejected. */
export function socketIdentityOf(request: Request): ConnectionIdentity {
  const prefix = `${CLIENT_ID}.`;
  const { headers } = request;
  const offered = headers.get('Sec-WebSocket-Protocol');
  const protocols = offered === null ? probedProtocols(request) : headerItems(offered);
  const id = protocols.find((protocol) => protocol.startsWith(prefix))?.slice(prefix.length);
  return { ...callerOf(request), client: clientIdOf(id) };
}

/** Returns the identity of the client that sends a POST. */
export function postIdentityOf(request: Request): ConnectionIdentity {
  return { ...callerOf(request), client: clientIdOf(request.headers.get(CLIENT_ID)) };
}

/** Maximum length of a client's id, which is part of a storage key. Ids have about 32 characters. */
const MAX_CLIENT_LENGTH = 100;

/** Returns the id that a client sent; `undefined` if it is missing or too long. */
function clientIdOf(sent: string | null | undefined): string | undefined {
  return sent && sent.length <= MAX_CLIENT_LENGTH ? sent : undefined;
}
