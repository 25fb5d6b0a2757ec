/**
 * The interface by which plain HTTP and MCP in a Worker call an object: a method of the object's class, through native
 * Workers RPC. The method takes a frame, and returns the frame of answers, as a POST to `…/call` does, without a
 * request and a response.
 */

/** The name of the method. No contract can list it, so no client can call it. */
export const FRAME_METHOD = '__rpcFrame';

/** The sender of a frame. The object trusts it, since only Workers and other objects have the binding. */
export interface FrameSender {
  /** The value that `currentCaller()` returns in the object. */
  readonly caller?: unknown;
  /** The caller's identity. */
  readonly owner?: string | undefined;
  /** The id of the client in the journal. Without an id, the journal stores nothing about the calls. */
  readonly client?: string | undefined;
}

/** The object, as the Worker sees it. */
export interface FrameReceiver {
  /** @returns the frame of answers; or the HTTP status with which a POST would be refused */
  [FRAME_METHOD](frame: string, sender?: FrameSender): Promise<string | number>;
}
