/** The messages between the page and the web worker with the object. */

/** The messages of the page to the web worker. `connect` has a port. */
export type ToWorker =
  | { kind: 'connect'; url: string; protocols: string[] }
  | { kind: 'hibernate' };

/** The messages over the port of a WebSocket, in both directions. */
export type OverPort =
  | { kind: 'open' }
  | { kind: 'frame'; data: string | ArrayBuffer }
  | { kind: 'close'; code: number; reason: string };
