/**
 * How a door of the Worker calls an object: by a method of the object's class, through native Workers RPC. The method
 * takes a frame, and returns the frame of answers, as a POST to `…/call` does, without a request and a response.
 */

/** The name of the method. No contract can list it, so no client can call it. */
export const FRAME_METHOD = '__rpcFrame';

/** Who sends the frame. The Worker says so, since only the Worker and other objects have the binding. */
export interface FrameSender {
  /** What `currentCaller()` returns in the object. */
  readonly caller?: unknown;
  /** The caller's identity. */
  readonly owner?: string | undefined;
  /** The id of the client in the journal. Without it, nothing is stored of the calls. */
  readonly client?: string | undefined;
}

/** The object's end, as the Worker sees it. */
export interface FrameReceiver {
  /** @returns the frame of answers; or the HTTP status with which a POST would be refused */
  [FRAME_METHOD](frame: string, sender?: FrameSender): Promise<string | number>;
}
