/**
 * The messages of presence. They are the messages of a feed, whose events are changes of the list of present clients:
 *
 *     up     [["subscribe",1,"0.","cursors",[{"x":1}]]]
 *     down   [["subscribed",1,"0.1f8a03bc",32],["next",1,1,{"all":[["9c31d07e",{"x":4}]]}]]
 *     up     [["say",1,[{"x":2}]]]
 *     down   [["next",1,2,[["9c31d07e",{"x":5}],"77ab01c2"]]]
 *
 * - `["subscribe", n, cursor, …call]`: takes part, if the cursor is text. The arguments of the call are the client's data.
 *   Without a cursor, the client only watches. It gets the list as a live value, which is a list of `{ key, value }`.
 * - `["subscribed", n, "0.key", window]`: the key by which others know this client. It comes again after hibernation. If
 *   the client sends the key in its cursor over its next connection, it keeps the key, unless another client has it then.
 * - `["say", n, …args]`: new data of the client, which replaces its earlier data. The arguments have the form of a call.
 * - `["next", n, event, { all }]`: the whole list, with one `[key, …value]` for each client.
 * - `["next", n, event, changes]`: `[key, …value]` for a client that is new or has new data; `key` alone for a client that
 *   has left. The client ignores its own key.
 */

/** The shortest time between two changes, and between two messages of a client, in milliseconds: a frame of a display. */
export const FRAME = 16;

/** The number of changes that can be sent ahead of the acknowledgement. Later changes are then sent as one change. */
export const PRESENCE_WINDOW = 32;

/** A client, and the value that it shows, in the form of the end of an answer. */
export type Shown = readonly [key: string, ...value: unknown[]];

/** The changes of a list, or the whole list. */
export type Changes = readonly (Shown | string)[] | { readonly all: readonly Shown[] };
