/** What the page and the web worker with the object say to each other. */

/** Of the page, to the web worker. A port comes with `connect`. */
export type ToWorker =
  | { kind: 'connect'; url: string; protocols: string[] }
  | { kind: 'hibernate' };

/** Over the port of one WebSocket, in both directions. */
export type OverPort =
  | { kind: 'open' }
  | { kind: 'frame'; data: string | ArrayBuffer }
  | { kind: 'close'; code: number; reason: string };
