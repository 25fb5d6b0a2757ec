/** The types of the exports of a project's `perf/worker.ts`. Both entry points of the performance test use them. */
import type { MeasuredClass } from './measured-class.ts';

/** The Durable Object class of each contender. */
export interface ContenderClasses {
  /** This RPC. */
  Counter: MeasuredClass;
  /** This RPC, with an object that never hibernates. */
  AwakeCounter: MeasuredClass;
  /** This RPC, without its journal. */
  UnjournaledCounter: MeasuredClass;
  /** This RPC, in a class that keeps its own `fetch`. */
  ManualCounter: MeasuredClass;
  /** Cap'n Web. */
  CapnwebCounter: MeasuredClass;
  /** The code by hand, with an object that never hibernates. */
  PlainFloor: MeasuredClass;
  /** The code by hand, with an object that may hibernate. */
  HibernatingFloor: MeasuredClass;
  /** The code by hand, with a POST for each call. */
  PostFloor: MeasuredClass;
}

export interface ContenderWorker {
  fetch(request: Request, env: object): Promise<Response>;
}
