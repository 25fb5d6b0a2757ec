/**
 * The messages of presence. They are those of a feed, whose events are changes of the list of who is present:
 *
 *     up     [["subscribe",1,"0.","cursors",[{"x":1}]]]
 *     down   [["subscribed",1,"0.1f8a03bc",32],["next",1,1,{"all":[["9c31d07e",{"x":4}]]}]]
 *     up     [["say",1,[{"x":2}]]]
 *     down   [["next",1,2,[["9c31d07e",{"x":5}],"77ab01c2"]]]
 *
 * - `["subscribe", n, cursor, …call]`: takes part, if the cursor is text. What it says is the arguments of the call.
 *   Without a cursor, the client only watches: it gets the list as a live value, a list of `{ key, value }`.
 * - `["subscribed", n, "0.key", window]`: the key by which others know this client. It comes again after hibernation. With
 *   it in its cursor, the client has the same key over its next connection, unless another client has it then.
 * - `["say", n, …args]`: what the client says now, in place of what it said before. The arguments have the form of a call.
 * - `["next", n, event, { all }]`: the whole list, with one `[key, …value]` for each client.
 * - `["next", n, event, changes]`: `[key, …value]` for a client that is new or has said something else; `key` alone for one
 *   that is gone. The client ignores its own key.
 */

/** How often the object sends changes, and a client says something else, in milliseconds: a frame of a display. */
export const FRAME = 16;

/** How many changes can be sent ahead of the acknowledgement. Then the newest of each client is sent as one change. */
export const PRESENCE_WINDOW = 32;

/** A client, and what it shows: the end of the message has the form of an answer. */
export type Shown = readonly [key: string, ...value: unknown[]];

/** The changes of a list, or the whole list. */
export type Changes = readonly (Shown | string)[] | { readonly all: readonly Shown[] };
